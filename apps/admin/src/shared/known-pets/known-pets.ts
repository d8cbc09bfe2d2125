import type { Pet } from '@petstore/contracts';
import { createStore, useSelector } from '@tanstack/react-store';
import { proxy, type Remote, wrap } from 'comlink';
import { callWithKey, keyFingerprint } from '../api.js';
import { removeStoredPets } from '../browser-storage.js';
import { toApiError } from '../client.js';
import { CodeNotLoaded } from '../load-code.js';
import { currentSession, isKeyKept, onSessionChange } from '../session.js';
import type { Known, KnownPetsWorker, Reader } from './known-pets.worker.js';
import type { CategoryCount, FoundPart, FoundPets, PetFilter } from './pet-index.js';
import { noteUpdate } from './visits.js';

/** What this tab knows of the store: the animals are in a worker, which starts at the first use. */
export interface KnownPetsState extends Known {
  /** The number of categories whose names a search also looks at. */
  readonly namedCategories?: number;
  readonly isUpdating: boolean;
  /** Why the last update failed. */
  readonly error?: unknown;
}

const nothingKnown: KnownPetsState = { searched: 0, isComplete: false, isLimitReached: false, isUpdating: false };
/** A search within this time uses the animals as they are. */
const freshMs = 10_000;

const store = createStore(nothingKnown);
let updating = Promise.resolve();
let categoryNames: ReadonlyMap<bigint, string> = new Map();
let running: ReturnType<typeof startWorker> | undefined;
// The next person who signs in does not see the animals of the last one.
onSessionChange(() => {
  if (!currentSession()) stop();
  removeUnlessKept();
});
removeUnlessKept();

/** Only a person who stays signed in leaves animals on the device. */
function removeUnlessKept(): void {
  if (!isKeyKept()) removeStoredPets();
}

export function useKnownPets(): KnownPetsState {
  return useSelector(store);
}

export function currentKnownPets(): KnownPetsState {
  return store.state;
}

/** The animals among those that are known so far. */
export async function findPets(filter: PetFilter, part: FoundPart): Promise<FoundPets> {
  return start().find(filter, part);
}

/**
 * As `findPets`, among all animals of the store: the first part reads what is new.
 * @throws why the animals of the store could not be read
 */
export async function findStorePets(filter: PetFilter, part: FoundPart): Promise<FoundPets> {
  if (!part.skip) await refreshKnownPets();
  if (store.state.error !== undefined) throw store.state.error;
  return findPets(filter, part);
}

/** The animals of each category, by status. */
export async function countCategories(filter: PetFilter): Promise<CategoryCount[]> {
  return start().countCategories(filter);
}

/** The known animals of a category with this name, the newest first. Case and accents do not matter. */
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

/** The animal with this number, if it is known. Sends no request. */
export async function getKnownPet(id: bigint): Promise<Pet | undefined> {
  return running?.remote.get(id);
}

/** Those of the animals with these numbers that are known. Sends no request. */
export async function getKnownPets(ids: readonly bigint[]): Promise<Pet[]> {
  return (await running?.remote.getAll(ids)) ?? [];
}

/** A search also looks at the names of categories. */
export function nameCategories(names: ReadonlyMap<bigint, string>): void {
  categoryNames = names;
  void running?.remote.setCategoryNames(names);
  store.setState((state) => ({ ...state, namedCategories: names.size }));
}

/** Call it after a create: a search finds the animal before the next update. */
export function addKnownPet(pet: Pet): void {
  void running?.remote.add([pet]);
}

/** Loads the code, and the animals that the device keeps from an earlier visit. Sends no request to the API. */
export async function openKnownPets(): Promise<void> {
  const session = currentSession();
  if (!session) return;
  const opened = current();
  const known = await opened.remote.open(readerOf(session.key));
  if (opened === running && !store.state.isUpdating) store.setState((state) => ({ ...state, ...known }));
}

/** Reads what is new in the store, or continues the first walk. Never fails: the state has the error. */
export function updateKnownPets(): Promise<void> {
  if (!store.state.isUpdating) updating = update();
  return updating;
}

/** How long ago a time was. The clock of the device may have been set back since. */
export function ageOf(time: number): number {
  return Math.abs(Date.now() - time);
}

/** Reads what is new, unless that has just happened. */
export function refreshKnownPets(): Promise<void> {
  const { error, updatedAt = 0, isUpdating } = store.state;
  const isFresh = error === undefined && ageOf(updatedAt) <= freshMs;
  return isFresh && !isUpdating ? Promise.resolve() : updateKnownPets();
}

/** As `refreshKnownPets`, but does not wait longer for a slow update, which continues. */
export async function refreshKnownPetsWithin(ms: number): Promise<void> {
  const timeout = new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });
  await Promise.race([refreshKnownPets(), timeout]);
}

async function update(): Promise<void> {
  const updated = current();
  // After a sign-out, an update of the person before has no effect.
  const report = (changes: Partial<KnownPetsState>) => {
    if (updated !== running) return;
    const { newestId, updatedAt } = changes;
    if (newestId !== undefined && updatedAt !== undefined) noteUpdate(newestId, updatedAt);
    store.setState((state) => ({ ...state, ...changes }));
  };
  report({ isUpdating: true, error: undefined });
  try {
    // The worker answers nothing more once it has stopped.
    await Promise.race([callWithKey((key) => updateWith(updated.remote, key, report)), updated.stopped]);
  } catch (error) {
    report({ error });
  }
  report({ isUpdating: false });
}

async function updateWith(remote: Remote<KnownPetsWorker>, key: string, onProgress: (known: Known) => void) {
  const failure = await remote.update(readerOf(key), proxy(onProgress));
  if (failure) throw toApiError(failure);
}

function readerOf(key: string): Reader {
  return { key, keyHash: keyFingerprint(key), isKept: currentSession()?.isShared ?? false };
}

function start(): Remote<KnownPetsWorker> {
  if (store.state.error === undefined) void refreshKnownPets();
  return current().remote;
}

function current() {
  running ??= startWorker();
  return running;
}

function startWorker() {
  const worker = new Worker(new URL('known-pets.worker.ts', import.meta.url), { type: 'module' });
  let end = () => {};
  const stopped = new Promise<void>((resolve) => {
    end = resolve;
  });
  // Its code did not load. The next update starts another one.
  worker.addEventListener('error', (event) => {
    stop();
    store.setState(() => ({ ...nothingKnown, error: new CodeNotLoaded(event) }));
  });
  const remote = wrap<KnownPetsWorker>(worker);
  void remote.setCategoryNames(categoryNames);
  return { worker, remote, stopped, end };
}

function stop(): void {
  running?.worker.terminate();
  running?.end();
  running = undefined;
  store.setState(() => nothingKnown);
}
