import { type Pet, samePetKey } from '@petstore/contracts';
import type { CheckedFile } from './check-file.js';
import { readRows } from './rows.js';

/** The lines of a file whose animals are not new, in ascending order. */
export interface Repeats {
  /** The store has an animal with this name and category. */
  inStore: number[];
  /** An earlier line of the file has this name and category. */
  inFile: number[];
}

/**
 * Compares the animals of a file with those of the store. Two are the same if they have the same category and the same name.
 * Case, accents and outer spaces of the name do not matter. Memory grows with the number of different animals in the file.
 * @param pages those of `PetstoreClient.listPets`
 */
export async function findRepeats(
  { source, settings }: Pick<CheckedFile, 'source' | 'settings'>,
  pages: AsyncIterable<{ pets: readonly Pick<Pet, 'name' | 'categoryId'>[] }>,
): Promise<Repeats> {
  const lines = new Map<string, number[]>();
  for await (const row of readRows(source, settings)) {
    if (!('pet' in row)) continue;
    const key = samePetKey(row.pet);
    const earlier = lines.get(key);
    if (earlier) earlier.push(row.line);
    else lines.set(key, [row.line]);
  }
  const inFile = [...lines.values()].flatMap(([, ...others]) => others);
  const inStore: number[] = [];
  for await (const { pets } of pages) {
    for (const pet of pets) {
      const key = samePetKey(pet);
      for (const line of lines.get(key) ?? []) inStore.push(line);
      lines.delete(key);
    }
  }
  return { inStore: inStore.toSorted(ascending), inFile: inFile.toSorted(ascending) };
}

function ascending(one: number, other: number): number {
  return one - other;
}
