import { setTimeout as sleep } from 'node:timers/promises';
import { petStatuses } from '@petstore/contracts';
import { describe, expect, it } from 'vitest';
import { compareWithStore, type StoreList } from '../src/compare.js';
import { clientOf, newCategory } from './support/service.js';

type Animal = readonly [name: string, categoryId: bigint];
const rowsOf = (animals: readonly Animal[]) =>
  animals.map(([name, categoryId], index) => ({ row: index + 2, name, categoryId }));

/** Compares a table with a store, both in short. `existing` has the positions in the store. */
async function compare(table: readonly Animal[], store: readonly Animal[]) {
  const lists: StoreList[] = [];
  async function* read(list: StoreList) {
    lists.push(list);
    const pets = store.map(([name, categoryId], id) => ({ id: BigInt(id), name, categoryId, status: petStatuses[0] }));
    const found = pets.filter(
      (pet) => pet.categoryId === list.categoryId && pet.status === (list.status ?? pet.status),
    );
    if (list.order === 'desc') found.reverse();
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
    const { existing, repeated } = await compare(table, [guppy, guppy]);
    expect([existing.length, repeated]).toEqual([2, [5, 6, 7]]);
  });

  it('reads each small category once, and each animal of a large one', async () => {
    const store = Array.from({ length: 1050 }, (_, index): Animal => [`Rex ${index}`, index < 50 ? 8n : 7n]);
    const { lists, existing, counts } = await compare([...store, ['New', 7n], ['New', 9n]], store);
    expect([lists.filter(({ categoryId }) => categoryId !== 7n).length, existing.length]).toEqual([2, 1050]);
    expect(counts.at(-1)).toBe(1050);
  });

  it('agrees with the service', async () => {
    const [categoryId, client] = [newCategory(), clientOf()];
    const names = Array.from({ length: 450 }, (_, index) => `Rex ${index}`);
    await Promise.all(
      names.map((name, index) =>
        client.createPet({ name, categoryId, status: petStatuses[index % petStatuses.length] }),
      ),
    );
    const animals = rowsOf([...names, 'Max'].map((name) => [name, categoryId]));
    const { existing, repeated } = await compareWithStore(animals, (list) => client.listPets(list).pages());
    expect([existing.length, repeated]).toEqual([names.length, []]);
  });

  it('ends all lists when a page cannot be read', async () => {
    const failure = new Error('The service does not answer.');
    let pages = 0;
    async function* read({ categoryId, order, limit }: StoreList) {
      while ((pages += 1) < 500) {
        await sleep(1);
        if (pages > 20 && categoryId === 8n) throw failure;
        const id = order === 'asc' ? BigInt(pages) : 1000n - BigInt(pages);
        yield { pets: Array.from({ length: limit }, () => ({ id, name: 'Rex', categoryId, status: petStatuses[0] })) };
      }
    }
    const animals = rowsOf([7n, 8n].map((categoryId) => ['Rex', categoryId]));
    await expect(compareWithStore(animals, read)).rejects.toBe(failure);
    await sleep(200);
    expect(pages).toBeLessThan(50);
  });
});
