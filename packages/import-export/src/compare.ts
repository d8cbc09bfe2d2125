import { listLimits, type Pet, samePetKey } from '@petstore/contracts';
import type { RowAnimal } from './check-rows.js';

/** The animals of a table that have the category and the name of another one. In the order of the table. */
export interface Comparison {
  /** The store has the animal: the number of the row, and the id of the animal. Of each animal of the store one row is listed. */
  existing: { row: number; petId: bigint }[];
  /** The store does not have it once more, but an earlier row has the same animal: the numbers of the rows. */
  repeated: number[];
}

/** The animals of a category, oldest first, for `listPets`. */
export interface CategoryList {
  categoryId: bigint;
  limit: number;
}

/** Reads a list of animals, page by page. */
export type ReadList = (list: CategoryList) => AsyncIterable<{ pets: readonly Pet[] }>;

/**
 * Compares animals with those of the same categories in the store, and with each other. Two are the same if they have the same
 * category and the same name, as `samePetKey` compares them. If the store has two of them, and the table three, the third is
 * new.
 * @param onProgress receives the number of animals of the store that were read so far
 */
export async function compareWithStore(
  animals: readonly RowAnimal[],
  read: ReadList,
  onProgress?: (count: number) => void,
): Promise<Comparison> {
  const keys = new Set(animals.map(samePetKey));
  const stored = new Map<string, bigint[]>();
  let count = 0;
  for (const categoryId of new Set(animals.map((animal) => animal.categoryId))) {
    for await (const { pets } of read({ categoryId, limit: listLimits.max })) {
      for (const pet of pets) {
        const key = samePetKey(pet);
        const ids = stored.get(key);
        if (ids) ids.push(pet.id);
        else if (keys.has(key)) stored.set(key, [pet.id]);
      }
      onProgress?.((count += pets.length));
    }
  }
  const comparison: Comparison = { existing: [], repeated: [] };
  for (const animal of animals) {
    const key = samePetKey(animal);
    const [isFirst, petId] = [keys.delete(key), stored.get(key)?.pop()];
    if (petId !== undefined) comparison.existing.push({ row: animal.row, petId });
    else if (!isFirst) comparison.repeated.push(animal.row);
  }
  return comparison;
}
