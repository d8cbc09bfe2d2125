import { PetstoreApiError } from '@petstore/client';
import { type ErrorCode, type Pet, samePetKey } from '@petstore/contracts';
import { callApi } from '../../shared/api.js';
import { isKeyRejected } from '../../shared/client.js';
import { searchText } from '../../shared/filter-search.js';

export type Animal = Omit<Pet, 'id'>;

/** The request for an animal whose answer has not arrived. Stored before it is sent. */
export interface SentRequest {
  /** The hash of the API key: the service recognizes a retry with the same one only. */
  keyHash: string;
  /** When it was first sent, in ISO 8601. */
  at: string;
}

/** The service keeps an idempotency key for 24 hours. */
const repeatableMs = 23 * 3_600_000;

/** The request failed, and this attempt or an earlier one may have added the animal. */
export class OutcomeUnknown extends Error {
  constructor(override readonly cause: unknown) {
    super("We couldn't confirm that the animal was added", { cause });
  }
}

/** The store has animals with the name and category of new ones. The person decides: nothing can be deleted later. */
export class SamePetsExist extends Error {
  constructor(
    /** Those of the store. */
    readonly pets: readonly Pet[],
    /** Whether one of them may be the result of an attempt whose answer was lost. */
    readonly mayBeAdded: boolean,
  ) {
    super('An animal with this name is already in the store');
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

interface CreateOptions {
  idempotencyKey: string;
  /** The request of an earlier attempt. */
  sent: SentRequest | undefined;
  /** Stores what may be on its way. */
  noteSent: (sent: SentRequest | undefined) => void;
}

/**
 * Creates an animal once, however often it is called with the same idempotency key. The service recognizes a retry with the
 * same API key. Before another one is used, this looks for the animal in the store.
 * @throws SamePetsExist, OutcomeUnknown, or the error of the client if the animal was certainly not added
 */
export async function createPet(animal: Animal, options: CreateOptions): Promise<Pet> {
  const { idempotencyKey, noteSent } = options;
  let open = options.sent;
  try {
    return await callApi(async (client, keyHash) => {
      if (open && !isRepeatable(open, keyHash)) {
        const pets = await findSamePets([animal]).catch((error: unknown) => {
          throw new OutcomeUnknown(error);
        });
        rejectSamePets(pets, true);
        open = undefined;
      }
      const earlier = open;
      open ??= { keyHash, at: new Date().toISOString() };
      noteSent(open);
      try {
        return await client.createPet(animal, { idempotencyKey });
      } catch (error) {
        // Without a valid key, this attempt added nothing.
        if (isKeyRejected(error)) noteSent((open = earlier));
        throw error;
      }
    });
  } catch (error) {
    if (error instanceof SamePetsExist || error instanceof OutcomeUnknown) throw error;
    if (!(error instanceof PetstoreApiError) || !rejectionCodes.has(error.code)) throw new OutcomeUnknown(error);
    noteSent(undefined);
    throw error;
  }
}

function isRepeatable({ keyHash, at }: SentRequest, currentHash: string): boolean {
  return keyHash === currentHash && Math.abs(Date.now() - Date.parse(at)) < repeatableMs;
}

/** @throws SamePetsExist, unless there are none */
export function rejectSamePets(pets: readonly Pet[], mayBeAdded = false): void {
  if (pets.length > 0) throw new SamePetsExist(pets, mayBeAdded);
}

/** A common name, such as "Goldfish", may have more matches: the newest ones are compared. */
const maxCompared = 1000;

/** The animals of the store with the category and the name of one of these: of one animal, of a litter, or of a list. */
export async function findSamePets(animals: readonly Animal[]): Promise<Pet[]> {
  const keys = new Set(animals.map(samePetKey));
  // The animals of a litter have one search.
  const nameOf = ({ name }: Animal) => (animals.length > 1 ? name.replace(/ \d+$/, '') : name);
  const searches = new Map(animals.map((animal) => [searchText(nameOf(animal)), animal]));
  const found = await Promise.all(Array.from(searches, ([q, { categoryId }]) => searchSame(q, categoryId, keys)));
  return [...new Map(found.flat().map((pet) => [pet.id, pet])).values()];
}

async function searchSame(q: string, categoryId: bigint, keys: ReadonlySet<string>): Promise<Pet[]> {
  const found: Pet[] = [];
  let compared = 0;
  await callApi(async (client) => {
    const list = client.listPets({ q: q || undefined, categoryId, order: 'desc', limit: 100 });
    for await (const { pets } of list.pages()) {
      found.push(...pets.filter((pet) => keys.has(samePetKey(pet))));
      compared += pets.length;
      if (compared >= maxCompared) break;
    }
  });
  return found;
}
