import { parseJson, type Pet, samePetKey, stringifyJson } from '@petstore/contracts';
import { MutationObserver } from '@tanstack/react-query';
import { createStore, useSelector } from '@tanstack/react-store';
import { useEffect } from 'react';
import { tryStorage } from '../../shared/browser-storage.js';
import { announceAdded } from '../../shared/focus.js';
import { plainName } from '../../shared/pet-parts.js';
import { cacheNewPets } from '../../shared/pet-queries.js';
import { queryClient } from '../../shared/query-client.js';
import { setUnfinished } from '../../shared/unfinished-work.js';
import { addBatch, type Batch, litterText, newBatch } from './batch.js';
import type { Animal } from './create-pet.js';

interface AddState {
  /** Batches that the store does not have yet, in the order of entry. */
  readonly queue: readonly Batch[];
  /** The animals that this tab has added since the person signed in. */
  readonly added: readonly Pet[];
  readonly last: readonly Pet[];
}

/** Keeps the page fast. */
const maxAdded = 100;

const store = createStore<AddState>({ queue: [], added: [], last: [] });
/** Animals that the person has confirmed once: the form does not ask again. */
const confirmed = new Set<string>();

// A closed tab adds nothing more.
store.subscribe(({ queue }) => setUnfinished('add', queue.length > 0));

export function useQueue(): readonly Batch[] {
  return useSelector(store, ({ queue }) => queue);
}

export function useAdded(): readonly Pet[] {
  const { queue, added } = useSelector(store, (state) => state);
  return [...queue.flatMap((batch) => batch.added), ...added];
}

export function useLastAdded(): readonly Pet[] {
  return useSelector(store, ({ last }) => last);
}

/** TanStack Query runs the mutations of a scope one after the other: the numbers follow the order of the entries. */
const runner = new MutationObserver(queryClient, { mutationFn: runBatch, scope: { id: 'add' } });
const run = (id: string) => void runner.mutate(id);

export function addAnimals(
  animals: readonly Animal[],
  isConfirmed = animals.every((animal) => confirmed.has(samePetKey(animal))),
): void {
  const batch = newBatch(animals, isConfirmed);
  store.setState((state) => ({ ...state, queue: [...state.queue, batch] }));
  writeQueue();
  run(batch.id);
}

/** Adds these animals of a batch although the store has such animals. An earlier request may have added others. */
export function addAnother(batch: Batch, animals: readonly Animal[]): void {
  for (const animal of animals) confirmed.add(samePetKey(animal));
  removeBatch(batch);
  addAnimals(animals, true);
}

export function retryBatch({ id }: Batch): void {
  update(id, { error: undefined });
  run(id);
}

export function removeBatch({ id }: Pick<Batch, 'id'>): void {
  store.setState((state) => ({
    ...state,
    queue: state.queue.filter((batch) => batch.id !== id),
    added: [...(find(id)?.added ?? []), ...state.added].slice(0, maxAdded),
  }));
  writeQueue();
}

function find(id: string): Batch | undefined {
  return store.state.queue.find((batch) => batch.id === id);
}

/** Stores the progress of a batch. @throws AbortError if the person has signed out, before a request of the next person. */
function update(id: string, values: Partial<Batch>): void {
  if (!find(id)) throw new DOMException('Signed out', 'AbortError');
  const queue = store.state.queue.map((batch) => (batch.id === id ? { ...batch, ...values } : batch));
  store.setState((state) => ({ ...state, queue }));
  writeQueue();
}

async function runBatch(id: string): Promise<void> {
  const batch = find(id);
  if (!batch) return;
  try {
    const pets = await addBatch(batch, (progress) => update(id, progress));
    removeBatch(batch);
    store.setState((state) => ({ ...state, last: pets }));
    announceAdded(addedText(pets));
    cacheNewPets(pets);
  } catch (error) {
    if (!find(id)) return;
    update(id, { error: error as Error });
    cacheNewPets([]);
  }
}

function addedText(pets: readonly Pet[]): string {
  const [first, another] = pets;
  return first && !another ? `Added ${plainName(first.name)} as number ${first.id}` : litterText(pets);
}

const storageName = 'petstore.queue';

function readQueue(): readonly Batch[] {
  return tryStorage(() => parseJson(sessionStorage.getItem(storageName) ?? '[]') as Batch[]) ?? [];
}

function writeQueue(): void {
  const stored = store.state.queue.map((batch) => ({ ...batch, error: undefined }));
  tryStorage(() => sessionStorage.setItem(storageName, stringifyJson(stored)));
}

/** Adds what this tab had not added before it was loaded. The end of the session empties the queue. */
export function useQueueOfSession(): void {
  useEffect(() => {
    store.setState((state) => ({ ...state, queue: readQueue() }));
    for (const { id } of store.state.queue) run(id);
    return () => {
      confirmed.clear();
      store.setState(() => ({ queue: [], added: [], last: [] }));
    };
  }, []);
}
