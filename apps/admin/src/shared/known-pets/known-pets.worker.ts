import type { KeyInfo, Pet } from '@petstore/contracts';
import { expose } from 'comlink';
import { type ApiFailure, createClient, toApiFailure } from '../client.js';
import { type FoundPart, type PetFilter, PetIndex } from './pet-index.js';
import { PetWalk } from './pet-walk.js';
import { clearStoredPets, readStoredPets, storePets } from './stored-pets.js';

/** A store may limit the requests per minute. The walk runs in the background, so it can wait. */
const maxRetryAfterMs = 60_000;

/** The walk works without the id of the key: a slow answer must not hold it up. */
const keyTimeoutMs = 10_000;

/** The key of the person, and whether the device may keep what it reads. */
export interface Reader {
  key: string;
  keyHash: string;
  isKept: boolean;
}

/** What a search looks at. */
export interface Known {
  /** The number of animals. */
  readonly searched: number;
  /** The number of animals in the store, when it was last counted. */
  readonly total?: number | undefined;
  /** Whether the first walk through the store has ended. */
  readonly isComplete: boolean;
  /** Whether the store has more animals than the newest ones that are known. */
  readonly isLimitReached: boolean;
  /** The highest number of an animal; 0 in an empty store. */
  readonly newestId?: bigint | undefined;
  /** The end of the last update that succeeded, in milliseconds since 1970. */
  readonly updatedAt?: number | undefined;
}

/** The id of the key that read the animals. `undefined` if it is not known. */
let keyId: string | undefined;
let isKeyChecked = false;
let updatedAt: number | undefined;
const index = new PetIndex();
const walk = new PetWalk(index, () => {
  keyId = undefined;
  updatedAt = undefined;
  void clearStoredPets();
});
let keyHash: string | undefined;
let opened: Promise<void> | undefined;

const knownPets = {
  /** Reads the animals that the device keeps from an earlier visit, once. */
  async open(reader: Reader): Promise<Known> {
    await prepare(reader);
    return known();
  },
  /** Reads what is new, or continues the first walk. Returns the error of the service; other errors are thrown. */
  async update(reader: Reader, onProgress: (known: Known) => void): Promise<ApiFailure | undefined> {
    await prepare(reader);
    try {
      await checkKeyId(reader.key);
      await walk.update(createClient(reader.key, { maxRetryAfterMs }), () => onProgress(known()));
      updatedAt = Date.now();
      if (reader.isKept) await store();
      onProgress(known());
      return undefined;
    } catch (error) {
      return toApiFailure(error);
    }
  },
  add: index.add.bind(index),
  get: index.get.bind(index),
  getAll: (ids: readonly bigint[]) => ids.map((id) => index.get(id)).filter((pet) => pet !== undefined),
  find: (filter: PetFilter, part: FoundPart) => index.find(filter, part),
  findSame: index.findSame.bind(index),
  countCategories: index.countCategories.bind(index),
  compare: (animals: readonly Pick<Pet, 'name' | 'categoryId'>[]) => ({
    ids: index.compare(animals),
    limit: index.isLimitReached ? index.limit : undefined,
  }),
  setCategoryNames: index.setCategoryNames.bind(index),
};

export type KnownPetsWorker = typeof knownPets;
expose(knownPets);

function known(): Known {
  const { size: searched, isLimitReached } = index;
  const newestId = index.newest?.id ?? (updatedAt === undefined ? undefined : 0n);
  return { searched, total: walk.total, isComplete: walk.state !== undefined, isLimitReached, newestId, updatedAt };
}

/** Another key may belong to another person. */
async function prepare(reader: Reader): Promise<void> {
  if (keyHash !== undefined && keyHash !== reader.keyHash) {
    walk.reset();
    isKeyChecked = false;
  }
  keyHash = reader.keyHash;
  if (reader.isKept) await (opened ??= restore());
}

async function restore(): Promise<void> {
  const stored = await readStoredPets();
  if (!stored || walk.state) return;
  if (stored.walk.keyHash !== keyHash) return clearStoredPets();
  index.add(stored.pets);
  index.takeAdded();
  walk.restore(stored.walk);
  ({ keyId, updatedAt } = stored.walk);
}

/** A key with the same text and another id belongs to another store. */
async function checkKeyId(key: string): Promise<void> {
  if (isKeyChecked) return;
  const id = await readKeyId(key).catch(() => undefined);
  if (id === undefined) return;
  if (keyId !== undefined && keyId !== id) walk.reset();
  keyId = id;
  isKeyChecked = true;
}

async function readKeyId(key: string): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch('/key.json', { headers, signal: AbortSignal.timeout(keyTimeoutMs) });
  return response.ok ? String(((await response.json()) as KeyInfo).id) : undefined;
}

async function store(): Promise<void> {
  if (!walk.state || keyHash === undefined || updatedAt === undefined) return;
  await storePets({ ...walk.state, keyHash, keyId, updatedAt }, index.takeAdded(), index.oldest);
}
