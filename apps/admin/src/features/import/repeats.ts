import { samePetKey } from '@petstore/contracts';
import type { RowResult } from './import-rows.js';
import type { FileAnimal } from './import.worker.js';

/** The animals of a file that have the name and category of another one. */
export interface Repeats {
  /** Those that the store has. */
  existing: Extract<RowResult, { state: 'existing' }>[];
  /** Those that an earlier row of the file has. A delivery can have thirty equal goldfish. */
  repeated: Extract<RowResult, { state: 'repeated' }>[];
  /** How many animals of the store were compared, if not all: the newest ones. */
  limit: number | undefined;
}

/** `ids` has the number of an equal animal of the store for each animal, if there is one. */
export function toRepeats(
  animals: readonly FileAnimal[],
  ids: readonly (bigint | undefined)[],
  limit?: number,
): Repeats {
  const repeats: Repeats = { existing: [], repeated: [], limit };
  const seen = new Set<string>();
  for (const [index, animal] of animals.entries()) {
    const { line, name } = animal;
    const petId = ids[index];
    const key = samePetKey(animal);
    if (petId !== undefined) repeats.existing.push({ line, state: 'existing', name, petId });
    else if (seen.has(key)) repeats.repeated.push({ line, state: 'repeated', name });
    seen.add(key);
  }
  return repeats;
}
