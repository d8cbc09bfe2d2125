import { newIdempotencyKey, PetstoreApiError, type PetstoreClient } from '@petstore/client';
import type { ErrorCode, NewPet, Pet } from '@petstore/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { callApi } from '../../../shared/api.js';
import { readTabState, removeTabState, writeTabState } from '../../../shared/browser-storage.js';
import {
  ageOf,
  currentKnownPets,
  findSamePets,
  refreshKnownPetsWithin,
} from '../../../shared/known-pets/known-pets.js';
import { cachedPets, highestCachedId } from '../pet-queries.js';

/** The request failed, and this attempt or an earlier one may have added the animal. */
export class OutcomeUnknown extends Error {
  constructor(override readonly cause?: unknown) {
    super("We couldn't confirm that the animal was added", { cause });
  }
}

/** The answer to an earlier attempt was lost, and the service has an animal that may be the result. */
export class PossibleDuplicate extends OutcomeUnknown {
  constructor(readonly pet: Pet) {
    super();
  }
}

/** Some animals of a litter were added. The others follow when the person continues. */
export class PartlyAdded extends Error {
  constructor(added: number, total: number, cause?: unknown) {
    super(`${added} of ${total} animals were added`, { cause });
  }
}

/** The store has animals with the name and category of a new one. The person decides: nothing can be deleted later. */
export class SamePetsExist extends Error {
  constructor(
    readonly pets: readonly [Pet, ...Pet[]],
    /** The names of the new animals that the store has. */
    readonly repeatedNames: readonly string[],
    /** The number of new animals. */
    readonly total: number,
  ) {
    super('An animal with this name is already in the store');
  }
}

/** The animals of the store are still being read, so one of them may be the same. */
export class NotCompared extends Error {
  constructor() {
    super('Not compared yet with all animals of the store');
  }
}

/**
 * Errors that prove that no attempt with the same idempotency key added the animal. Any other answer, such as 429, is
 * about the last attempt only.
 */
const rejectionCodes: ReadonlySet<string> = new Set<ErrorCode>([
  'invalid_json',
  'invalid_body',
  'invalid_idempotency_key',
  'insufficient_scope',
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
]);

/**
 * Creates an animal once, however often it is called. The service recognizes a retry with the same API key. Before a
 * retry with another API key, this looks for the animal in the list.
 * @throws PossibleDuplicate, OutcomeUnknown, or the error of the client if the animal was certainly not added
 */
export async function createPet(newPet: NewPet, queryClient: QueryClient): Promise<Pet> {
  let isEarlierAttemptOpen = false;
  try {
    return await callApi(async (client, keyHash) => {
      const attempt = attemptFor(newPet, highestCachedId(queryClient));
      isEarlierAttemptOpen = attempt.keyHash !== undefined && attempt.keyHash !== keyHash;
      if (isEarlierAttemptOpen) {
        const pet = await findDuplicate(client, newPet, attempt);
        if (pet) throw new PossibleDuplicate(pet);
        isEarlierAttemptOpen = false;
      }
      writeAttempt({ ...attempt, keyHash });
      return client.createPet(newPet, { idempotencyKey: attempt.idempotencyKey });
    });
  } catch (error) {
    if (error instanceof OutcomeUnknown || (isRejection(error) && !isEarlierAttemptOpen)) throw error;
    throw new OutcomeUnknown(error);
  }
}

function isRejection(error: unknown): boolean {
  return error instanceof PetstoreApiError && rejectionCodes.has(error.code);
}

/** Looks at the newest hundred only: this tab made the attempt, not long ago. */
async function findDuplicate(client: PetstoreClient, newPet: NewPet, attempt: CreateAttempt): Promise<Pet | undefined> {
  const { pets } = await client.listPets({ status: newPet.status, limit: 100, order: 'desc' }).page();
  const fields = Object.keys(newPet) as (keyof NewPet)[];
  const isSame = (pet: Pet) => fields.every((field) => pet[field] === newPet[field]);
  return pets.find((pet) => pet.id > BigInt(attempt.idBefore) && isSame(pet));
}

/** A create request whose outcome may be unknown. It is stored before the request, and survives a reload. */
interface CreateAttempt {
  /** A changed animal is another attempt. */
  animal: string;
  /** The service recognizes a retry by this key, if it was sent with the same API key. */
  idempotencyKey: string;
  /** The hash of the API key that the last request was sent with; absent before the first one. */
  keyHash?: string;
  /** The highest animal number before the first request: the new animal has a higher one. */
  idBefore: string;
}

const storageName = 'petstore.attempt';

/** The stored attempt to create this animal, or a new one. */
function attemptFor(newPet: NewPet, highestId: bigint): CreateAttempt {
  const stored = storedAttempt(newPet);
  return stored ?? { animal: textOf(newPet), idempotencyKey: newIdempotencyKey(), idBefore: String(highestId) };
}

/** Whether an earlier attempt to create this animal is stored. */
export function hasStoredAttempt(newPet: NewPet): boolean {
  return storedAttempt(newPet) !== undefined;
}

function storedAttempt(newPet: NewPet): CreateAttempt | undefined {
  const stored = readTabState<CreateAttempt>(storageName);
  return stored.animal === textOf(newPet) ? (stored as CreateAttempt) : undefined;
}

function textOf(newPet: NewPet): string {
  return JSON.stringify(newPet, (_field, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

const writeAttempt = (attempt: CreateAttempt) => writeTabState(storageName, attempt);
export const removeAttempt = () => removeTabState(storageName);

/** Most stores are read in this time. */
const maxWaitMs = 3000;
/** A slow update does not delay an animal if the last one was not long ago. */
const maxAgeMs = 5 * 60_000;

/** @throws SamePetsExist or NotCompared */
export async function checkSamePets(animals: readonly NewPet[], queryClient: QueryClient): Promise<void> {
  await refreshKnownPetsWithin(maxWaitMs);
  const found = await Promise.all(animals.map((animal) => findSame(animal, queryClient)));
  const [first, ...others] = new Map(found.flat().map((pet) => [pet.id, pet])).values();
  const repeated = animals.filter((_, index) => found[index]?.length !== 0).map(({ name }) => name);
  if (first) throw new SamePetsExist([first, ...others], repeated, animals.length);
  const { isComplete, updatedAt = 0 } = currentKnownPets();
  if (!isComplete || ageOf(updatedAt) > maxAgeMs) throw new NotCompared();
}

async function findSame({ name, categoryId }: NewPet, queryClient: QueryClient): Promise<Pet[]> {
  const cached = cachedPets(queryClient).filter((pet) => pet.name === name && pet.categoryId === categoryId);
  // Without an answer, the code of the search did not load.
  const known = (await Promise.race([findSamePets(name, categoryId), sleep(maxWaitMs)])) ?? [];
  return [...cached, ...known];
}

function sleep(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms);
  });
}
