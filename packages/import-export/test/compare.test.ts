import { petStatuses } from '@petstore/contracts';
import { describe, expect, it } from 'vitest';
import { compareWithStore, type CategoryList } from '../src/compare.js';

type Animal = readonly [name: string, categoryId: bigint];
const rowsOf = (animals: readonly Animal[]) =>
  animals.map(([name, categoryId], index) => ({ row: index + 2, name, categoryId }));

/** Compares a table with a store, both in short. `existing` has the positions in the store. */
async function compare(table: readonly Animal[], store: readonly Animal[]) {
  const lists: CategoryList[] = [];
  async function* read(list: CategoryList) {
    lists.push(list);
    const pets = store.map(([name, categoryId], id) => ({ id: BigInt(id), name, categoryId, status: petStatuses[0] }));
    const found = pets.filter(({ categoryId }) => categoryId === list.categoryId);
    do yield { pets: found.splice(0, list.limit) };
    while (found.length > 0);
  }
  const counts: number[] = [];
  const { existing, repeated } = await compareWithStore(rowsOf(table), read, (count) => counts.push(count));
  return { existing: existing.map(({ row, petId }) => `${row}: ${petId}`), repeated, lists, counts };
}

describe('the comparison with the store', () => {
  it('finds animals of the same category whose names look the same, apart from case and accents', async () => {
    const inSeven = (...names: string[]) => names.map((name) => [name, 7n] as const);
    const table = [...inSeven('Zoë', ' Skip  Me', 'SkipMe', '❤\uFE0F'), ['Max', 8n]] as const;
    const store = [...inSeven('ZOE ', 'Skip\u00A0me\u200B', '❤', 'Max'), ['Zoë', 8n]] as const;
    expect(await compare(table, store)).toMatchObject({ existing: ['2: 0', '3: 1', '5: 2'], repeated: [] });
  });

  it('counts animals that are the same: the store has two, the table four', async () => {
    const guppy = ['Guppy', 7n] as const;
    const table = [guppy, guppy, ['Max', 7n], guppy, ['Max', 7n], guppy] as const;
    const result = await compare(table, [guppy, guppy]);
    expect(result).toMatchObject({ existing: ['2: 1', '3: 0'], repeated: [5, 6, 7] });
  });

  it('reads one list for each category, and each animal in it once', async () => {
    const store = Array.from({ length: 1050 }, (_, index): Animal => [`Rex ${index}`, index < 50 ? 8n : 7n]);
    const { lists, existing, counts } = await compare([...store, ['New', 7n], ['New', 9n]], store);
    expect(lists.map(({ categoryId }) => categoryId)).toEqual([8n, 7n, 9n]);
    expect(existing).toHaveLength(1050);
    expect(counts.at(-1)).toBe(1050);
  });
});
