import { maxCategoryIds, type NewPet, type Pet, samePetKey } from '@petstore/contracts';

/** A row of a file with a valid animal. */
export interface FileAnimal extends NewPet {
  line: number;
}

/** The animals of a file that have the category and the name of another one. In the order of the file. */
export interface Repeats {
  /** The store has one, with this id. */
  existing: (FileAnimal & { petId: bigint })[];
  /** The store has none, but an earlier line of the file does. */
  repeated: FileAnimal[];
}

/** Reads the animals of some categories of the store, at most `maxCategoryIds`, page by page. */
export type ReadCategories = (categoryId: readonly bigint[]) => AsyncIterable<{ pets: readonly Pet[] }>;

/**
 * Compares the animals of a file with those of the same categories in the store. Two are the same if they have the same
 * category and the same name, as `samePetKey` compares them.
 */
export async function findRepeats(animals: readonly FileAnimal[], read: ReadCategories): Promise<Repeats> {
  const stored = await findStored(animals, read);
  const seen = new Set<string>();
  const repeats: Repeats = { existing: [], repeated: [] };
  for (const animal of animals) {
    const key = samePetKey(animal);
    const petId = stored.get(key);
    if (petId !== undefined) repeats.existing.push({ ...animal, petId });
    else if (seen.has(key)) repeats.repeated.push(animal);
    seen.add(key);
  }
  return repeats;
}

/** The id of an animal of the store for each key of these animals that the store has. */
async function findStored(animals: readonly FileAnimal[], read: ReadCategories): Promise<Map<string, bigint>> {
  const keys = new Set(animals.map(samePetKey));
  const categories = [...new Set(animals.map(({ categoryId }) => categoryId))];
  const stored = new Map<string, bigint>();
  for (let start = 0; start < categories.length; start += maxCategoryIds) {
    for await (const { pets } of read(categories.slice(start, start + maxCategoryIds))) {
      for (const pet of pets) {
        const key = samePetKey(pet);
        if (keys.has(key)) stored.set(key, pet.id);
      }
    }
  }
  return stored;
}
