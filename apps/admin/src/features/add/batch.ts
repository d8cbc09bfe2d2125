import { newIdempotencyKey } from '@petstore/client';
import { type Pet, samePetKey } from '@petstore/contracts';
import {
  type Animal,
  createPet,
  findSamePets,
  OutcomeUnknown,
  rejectSamePets,
  SamePetsExist,
  type SentRequest,
} from './create-pet.js';

/** An animal, a litter or a list of names that the person has added, until the store has all of it. */
export interface Batch {
  /** Its animals have the idempotency keys `<id>-1`, `<id>-2` … */
  id: string;
  animals: readonly Animal[];
  /** The first ones, which the store has. */
  added: readonly Pet[];
  /** The request for the next one, if it may be on its way. */
  sent?: SentRequest | undefined;
  /** Whether the person wants them although the store has such animals. */
  isConfirmed: boolean;
  /** The error that the person has to resolve. Not stored: after a reload, it is tried again. */
  error?: Error | undefined;
}

export function newBatch(animals: readonly Animal[], isConfirmed: boolean): Batch {
  return { id: newIdempotencyKey(), animals, added: [], isConfirmed };
}

/**
 * Adds the animals of a batch that the store does not have yet, one after the other.
 * @param note Stores the progress.
 * @throws the errors of `createPet`
 */
export async function addBatch(batch: Batch, note: (progress: Partial<Batch>) => void): Promise<readonly Pet[]> {
  const { id, animals, sent, isConfirmed } = batch;
  const added = [...batch.added];
  if (!isConfirmed && !sent && added.length === 0) rejectSamePets(await findSamePets(animals));
  for (const [index, animal] of animals.entries()) {
    if (index < added.length) continue;
    const pet = await createPet(animal, {
      idempotencyKey: `${id}-${index + 1}`,
      sent: index === batch.added.length ? sent : undefined,
      noteSent: (request) => note({ sent: request }),
    });
    added.push(pet);
    note({ added: added.slice(), sent: undefined });
  }
  return added;
}

/** "Rex", or "Rex 1 … Rex 6" */
export function batchName(animals: readonly Pick<Animal, 'name'>[]): string {
  const [first, last] = [animals[0]?.name ?? '', animals.at(-1)?.name ?? ''];
  return animals.length > 1 ? `${first} … ${last}` : first;
}

/** The animals that were not added yet, without those whose name and category the store has. */
export function otherAnimals({ animals, added }: Batch, { pets }: SamePetsExist): Animal[] {
  const keys = new Set(pets.map(samePetKey));
  return animals.slice(added.length).filter((animal) => !keys.has(samePetKey(animal)));
}

/** The outcome of a batch, as all pages show it. "Not added" is certain. */
export function outcomeOf(batch: Batch): string {
  const { animals, added, error } = batch;
  if (!error) return 'Still adding';
  if (error instanceof SamePetsExist) {
    const remaining = animals.length - added.length;
    const known = remaining - otherAnimals(batch, error).length;
    if (remaining === 1) return error.message;
    return `${known} of these ${remaining} animals ${known === 1 ? 'is' : 'are'} already in the store`;
  }
  const isUnknown = error instanceof OutcomeUnknown;
  if (added.length > 0) {
    const least = isUnknown ? 'At least ' : '';
    return `${least}${added.length} of ${animals.length} animals ${added.length === 1 ? 'was' : 'were'} added`;
  }
  return isUnknown ? error.message : 'Not added';
}

/** "Added 6 animals, numbers 7 to 12" */
export function litterText(pets: readonly Pet[]): string {
  const [first = 0n, last = first] = [pets[0]?.id, pets.at(-1)?.id];
  // Another device may have added some in between.
  const isInRow = last - first + 1n === BigInt(pets.length);
  return `Added ${pets.length} animals${isInRow ? `, numbers ${first} to ${last}` : ''}`;
}
