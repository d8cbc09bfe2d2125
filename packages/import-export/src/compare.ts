import { listLimits, type ListOrder, type Pet, type PetStatus, petStatuses, samePetKey } from '@petstore/contracts';
import type { RowAnimal } from './check-rows.js';

/** The animals of a table that have the category and the name of another one. In the order of the table. */
export interface Comparison {
  /** The store has the animal: the number of the row, and the id of the animal. Of each animal of the store one row is listed. */
  existing: { row: number; petId: bigint }[];
  /** The store does not have it once more, but an earlier row has the same animal: the numbers of the rows. */
  repeated: number[];
}

/** A list of animals of the store, for `listPets`. */
export interface StoreList {
  categoryId: bigint;
  status?: PetStatus;
  order: ListOrder;
  limit: number;
}

/** Reads a list of animals, page by page. Several lists are read at the same time. */
export type ReadList = (list: StoreList) => AsyncIterable<{ pets: readonly Pet[] }>;

const simultaneousCategories = 4;

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
  await readCategories(new Set(animals.map(({ categoryId }) => categoryId)), read, (pets) => {
    for (const pet of pets) {
      const key = samePetKey(pet);
      const ids = stored.get(key);
      if (ids) ids.push(pet.id);
      else if (keys.has(key)) stored.set(key, [pet.id]);
    }
    onProgress?.((count += pets.length));
  });
  const comparison: Comparison = { existing: [], repeated: [] };
  for (const animal of animals) {
    const key = samePetKey(animal);
    const [isFirst, petId] = [keys.delete(key), stored.get(key)?.pop()];
    if (petId !== undefined) comparison.existing.push({ row: animal.row, petId });
    else if (!isFirst) comparison.repeated.push(animal.row);
  }
  return comparison;
}

type OnPets = (pets: readonly Pet[]) => void;

async function readCategories(categoryIds: ReadonlySet<bigint>, read: ReadList, onPets: OnPets): Promise<void> {
  const categories = categoryIds.values();
  let hasFailed = false;
  /** After a failure, all lists end. */
  async function* readOn(list: StoreList) {
    for await (const page of read(list)) {
      if (hasFailed) return;
      yield page;
    }
  }
  const readNext = async () => {
    for (const categoryId of categories) await readCategory(categoryId, readOn, onPets);
  };
  const readers = Array.from({ length: simultaneousCategories }, readNext);
  await Promise.all(readers).catch((error: unknown) => {
    hasFailed = true;
    throw error;
  });
}

/** A page can be read only after the one before. So a large category is read in several lists at the same time. */
async function readCategory(categoryId: bigint, read: ReadList, onPets: OnPets): Promise<void> {
  const limit = listLimits.max;
  for await (const { pets } of read({ categoryId, order: 'asc', limit })) {
    if (pets.length < limit) return onPets(pets);
    break;
  }
  await Promise.all(
    petStatuses.map((status) => readFromBothEnds((order) => read({ categoryId, status, order, limit }), onPets)),
  );
}

/** Reads a list from its start and its end, until they meet. */
async function readFromBothEnds(read: (order: ListOrder) => ReturnType<ReadList>, onPets: OnPets): Promise<void> {
  let [oldest, newest]: (bigint | undefined)[] = [];
  const isNew = ({ id }: Pet) => (oldest === undefined || id > oldest) && (newest === undefined || id < newest);
  const readFrom = async (order: ListOrder) => {
    for await (const { pets } of read(order)) {
      const others = pets.filter(isNew);
      onPets(others);
      if (others.length < pets.length) return;
      if (order === 'asc') oldest = pets.at(-1)?.id;
      else newest = pets.at(-1)?.id;
    }
  };
  await Promise.all([readFrom('asc'), readFrom('desc')]);
}
