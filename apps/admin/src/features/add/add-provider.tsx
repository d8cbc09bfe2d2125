import { type Pet, samePetKey } from '@petstore/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useEffectEvent, useRef, useState } from 'react';
import { announceAdded } from '../../shared/focus.js';
import { plainName } from '../../shared/pet-parts.js';
import { cacheNewPets } from '../../shared/pet-queries.js';
import { addBatch, type Batch, newBatch, readQueue, writeQueue } from './add-queue.js';
import type { Animal } from './create-pet.js';

/** Keeps the page fast. */
const maxAdded = 100;

type AddPet = ReturnType<typeof useAddQueue>;

const AddPetContext = createContext<AddPet | undefined>(undefined);

/** Holds the queue above all pages: an animal may still be on its way when its form was left. */
export function AddPetProvider({ children }: { children: ReactNode }) {
  const addPet = useAddQueue();
  return <AddPetContext value={addPet}>{children}</AddPetContext>;
}

export function useAddPet(): AddPet {
  const addPet = use(AddPetContext);
  if (!addPet) throw new Error('useAddPet needs an AddPetProvider');
  return addPet;
}

/** Adds animals one after the other: their numbers follow the order in which the person entered them. */
function useAddQueue() {
  const queryClient = useQueryClient();
  const { queue, next, change, isGone } = useStoredQueue();
  const [added, setAdded] = useState<readonly Pet[]>([]);
  const [last, setLast] = useState<readonly Pet[]>([]);
  /** What the person wanted once although the store has it, they may want again. */
  const confirmed = useRef(new Set<string>());

  const update = (id: string, values: Partial<Batch>) =>
    change((batches) => batches.map((batch) => (batch.id === id ? { ...batch, ...values } : batch)));
  const remove = ({ id }: Batch) => change((batches) => batches.filter((batch) => batch.id !== id));
  const noteProgress = (id: string, progress: Partial<Batch>) => {
    // Before a request of the next person's session.
    if (isGone()) throw new DOMException('Signed out', 'AbortError');
    update(id, progress);
    const pet = progress.added?.at(-1);
    if (pet) setAdded((earlier) => [pet, ...earlier.filter((other) => other.id !== pet.id)].slice(0, maxAdded));
  };
  const runBatch = async (batch: Batch) => {
    try {
      const pets = await addBatch(batch, (progress) => noteProgress(batch.id, progress));
      remove(batch);
      setLast(pets);
      announceAdded(addedText(pets));
      cacheNewPets(pets, queryClient);
    } catch (error) {
      if (isGone()) return;
      update(batch.id, { error: error as Error });
      cacheNewPets([], queryClient);
    }
  };
  const run = useRun(next, runBatch);
  const retry = ({ id }: Batch, values: Partial<Batch> = {}) => {
    update(id, { error: undefined, ...values });
    run();
  };
  useWarningBeforeLeaving(queue.length > 0);
  return {
    /** In the order in which the person entered them. */
    queue,
    add: (animals: readonly Animal[]) => {
      const isConfirmed = animals.every((animal) => confirmed.current.has(samePetKey(animal)));
      change((batches) => [...batches, { ...newBatch(animals), isConfirmed }]);
      run();
    },
    retry: (batch: Batch) => retry(batch),
    /** Adds these animals although the store has such animals. */
    addAnother: (batch: Batch, animals: readonly Animal[]) => {
      for (const animal of animals) confirmed.current.add(samePetKey(animal));
      // Other animals than those that an earlier request may have added.
      retry(batch, { ...newBatch(animals), isConfirmed: true, sent: undefined });
    },
    remove,
    /** The animals that this tab has added, newest first. */
    added,
    /** Those of the last batch. */
    last,
  };
}

/** "Added Rex as number 7", "Added 6 animals, numbers 7 to 12" */
function addedText(pets: readonly Pet[]): string {
  const [first, another] = pets;
  return first && !another ? `Added ${plainName(first.name)} as number ${first.id}` : litterText(pets);
}

export function litterText(pets: readonly Pet[]): string {
  const [first = 0n, last = first] = [pets[0]?.id, pets.at(-1)?.id];
  // Another device may have added some in between.
  const isInRow = last - first + 1n === BigInt(pets.length);
  return `Added ${pets.length} animals${isInRow ? `, numbers ${first} to ${last}` : ''}`;
}

/** A ref beside the state: several keys may come before the next render. */
function useStoredQueue() {
  const [queue, setQueue] = useState(readQueue);
  const latest = useRef(queue);
  /** The person has signed out, and the queue is removed. */
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  const change = (update: (batches: readonly Batch[]) => readonly Batch[]) => {
    if (isGone.current) return;
    latest.current = update(latest.current);
    writeQueue(latest.current);
    setQueue(latest.current);
  };
  const next = () => (isGone.current ? undefined : latest.current.find(({ error }) => error === undefined));
  return { queue, next, change, isGone: () => isGone.current };
}

/** Runs the batches one after the other, also those that a reload has interrupted. */
function useRun(next: () => Batch | undefined, runBatch: (batch: Batch) => Promise<void>): () => void {
  const isRunning = useRef(false);
  const runAll = async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    for (let batch = next(); batch; batch = next()) await runBatch(batch);
    isRunning.current = false;
  };
  const start = useEffectEvent(() => void runAll());
  useEffect(() => start(), []);
  return () => void runAll();
}

/** A closed tab adds nothing more. */
function useWarningBeforeLeaving(isAdding: boolean): void {
  useEffect(() => {
    if (!isAdding) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isAdding]);
}
