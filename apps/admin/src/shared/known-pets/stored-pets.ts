import type { Pet } from '@petstore/contracts';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { petDatabaseName } from '../browser-storage.js';
import type { WalkState } from './pet-walk.js';

/** What the device keeps about a finished walk. */
export interface StoredWalk extends WalkState {
  /** The key that read the animals: another person may not see them. */
  keyHash: string;
  keyId: string | undefined;
  updatedAt: number;
}

interface PetsDatabase extends DBSchema {
  walk: { key: 'current'; value: StoredWalk };
  /** Animals by the thousands of their numbers: one record per animal would take seconds to read. */
  blocks: { key: string; value: Pet[] };
}

const blockSize = 1000n;

/** `undefined` if the device keeps no animals, or the browser cannot store them. */
export async function readStoredPets(): Promise<{ walk: StoredWalk; pets: Pet[] } | undefined> {
  return withDatabase(async (database) => {
    const transaction = database.transaction(['walk', 'blocks']);
    const walk = await transaction.objectStore('walk').get('current');
    const blocks = walk && (await transaction.objectStore('blocks').getAll());
    return walk && blocks && { walk, pets: blocks.flat() };
  });
}

/** Adds animals to the stored ones. Other tabs may have added some too. */
export async function storePets(walk: StoredWalk, pets: readonly Pet[], oldest: Pet | undefined): Promise<void> {
  await withDatabase(async (database) => {
    const transaction = database.transaction(['walk', 'blocks'], 'readwrite');
    const blocks = transaction.objectStore('blocks');
    for (const [key, added] of groupByBlock(pets)) {
      const byId = new Map([...((await blocks.get(key)) ?? []), ...added].map((pet) => [pet.id, pet]));
      await blocks.put([...byId.values()], key);
    }
    if (oldest) await blocks.delete(IDBKeyRange.upperBound(blockKey(oldest.id), true));
    await transaction.objectStore('walk').put(walk, 'current');
    await transaction.done;
  });
}

/** Before other animals are stored. */
export async function clearStoredPets(): Promise<void> {
  await withDatabase(async (database) => {
    const transaction = database.transaction(['walk', 'blocks'], 'readwrite');
    await Promise.all([transaction.objectStore('walk').clear(), transaction.objectStore('blocks').clear()]);
    await transaction.done;
  });
}

/** Without space or in a private window, the animals are only in memory. */
async function withDatabase<T>(work: (database: IDBPDatabase<PetsDatabase>) => Promise<T>): Promise<T | undefined> {
  let database: IDBPDatabase<PetsDatabase> | undefined;
  try {
    database = await openDB<PetsDatabase>(petDatabaseName, 1, {
      upgrade(created) {
        created.createObjectStore('walk');
        created.createObjectStore('blocks');
      },
      // Another tab signs out.
      blocking: (_current, _next, event) => (event.target as IDBDatabase).close(),
    });
    return await work(database);
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}

function groupByBlock(pets: readonly Pet[]): Map<string, Pet[]> {
  const groups = new Map<string, Pet[]>();
  for (const pet of pets) {
    const key = blockKey(pet.id);
    const group = groups.get(key);
    if (group) group.push(pet);
    else groups.set(key, [pet]);
  }
  return groups;
}

/** In the order of the numbers. */
function blockKey(id: bigint): string {
  return String(id / blockSize).padStart(16, '0');
}
