import type { Pet } from '@petstore/contracts';
import { createStore, useSelector } from '@tanstack/react-store';
import { proxy, type Remote, wrap } from 'comlink';

import { toApiError } from '../client.js';
import { callWithKey } from '../api.js';
import { currentSession, onSessionChange } from '../session.js';
import type { KnownPetsWorker } from './known-pets.worker.js';
import type { FoundByName } from './pet-index.js';

/** What this tab knows of the store: the animals are in a worker, which starts at the first use. */
export interface KnownPetsState {
  /** The number of animals that a search looks at. */
  readonly searched: number;
  /** Whether the first walk through the store has ended. */
  readonly isComplete: boolean;
  /** Whether the store has more animals than the newest ones that are known. */
  readonly isLimitReached: boolean;
  readonly isUpdating: boolean;
  /** The end of the last update that succeeded, in milliseconds since 1970. */
  readonly updatedAt?: number;
  /** Why the last update failed. */
  readonly error?: unknown;
}

const nothingKnown: KnownPetsState = { searched: 0, isComplete: false, isLimitReached: false, isUpdating: false };
/** A search within this time uses the animals as they are. */
const freshMs = 10_000;

const store = createStore(nothingKnown);
let updating = Promise.resolve();
let running: { worker: Worker; remote: Remote<KnownPetsWorker> } | undefined;
// The next person who signs in does not see the animals of the last one.
onSessionChange(() => {
  if (!currentSession()) stop();
});

export function useKnownPets(): KnownPetsState {
  return useSelector(store);
}

/** The best matches among the animals that are known so far. */
export async function findPetsByName(text: string, limit: number): Promise<FoundByName> {
  return start().findByName(text, limit);
}

/** The known animals of a category with this name, whatever its case and accents. The newest first. */
export async function findSamePets(name: string, categoryId: bigint): Promise<Pet[]> {
  return start().findSame(name, categoryId);
}

/**
 * For each of these animals, the number of one in the store with the same name and category. `limit` is the number of
 * animals that were compared, if not all: the newest ones.
 * @throws why the animals of the store could not be read
 */
export async function compareKnownPets(
  animals: readonly Pick<Pet, 'name' | 'categoryId'>[],
): Promise<{ ids: (bigint | undefined)[]; limit: number | undefined }> {
  await updateKnownPets();
  if (store.state.error) throw store.state.error;
  return start().compare(animals);
}

/** Call it after a create: a search finds the animal before the next update. */
export function addKnownPet(pet: Pet): void {
  void running?.remote.add([pet]);
}

/** Reads what is new in the store, or continues the first walk. Never fails: the state has the error. */
export function updateKnownPets(): Promise<void> {
  if (!store.state.isUpdating) updating = update();
  return updating;
}

async function update(): Promise<void> {
  running ??= startWorker();
  const current = running;
  // After a sign-out, an update of the person before has no effect.
  const report = (changes: Partial<KnownPetsState>) => {
    if (current === running) store.setState((state) => ({ ...state, ...changes }));
  };
  report({ isUpdating: true, error: undefined });
  try {
    await callWithKey((key) => updateWith(current.remote, key, (searched) => report({ searched })));
    report({ isComplete: true, isLimitReached: await current.remote.isLimitReached(), updatedAt: Date.now() });
  } catch (error) {
    report({ error });
  }
  report({ isUpdating: false });
}

async function updateWith(remote: Remote<KnownPetsWorker>, key: string, onProgress: (searched: number) => void) {
  const failure = await remote.update(key, proxy(onProgress));
  if (failure) throw toApiError(failure);
}

function start(): Remote<KnownPetsWorker> {
  const { error, updatedAt = 0 } = store.state;
  const age = Date.now() - updatedAt;
  if (!error && age > freshMs) void updateKnownPets();
  running ??= startWorker();
  return running.remote;
}

function startWorker() {
  const worker = new Worker(new URL('known-pets.worker.ts', import.meta.url), { type: 'module' });
  // Its code did not load. The next update starts another one.
  worker.addEventListener('error', (event) => {
    stop();
    store.setState(() => ({ ...nothingKnown, error: event }));
  });
  return { worker, remote: wrap<KnownPetsWorker>(worker) };
}

function stop(): void {
  running?.worker.terminate();
  running = undefined;
  store.setState(() => nothingKnown);
}
