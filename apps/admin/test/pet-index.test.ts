import type { Pet } from '@petstore/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { PetIndex } from '../src/shared/known-pets/pet-index.js';

let index: PetIndex;
let lastId: bigint;
beforeEach(() => {
  index = new PetIndex();
  lastId = 0n;
});

function add(name: string, { categoryId = 7n, status = 'available' }: Partial<Pet> = {}): Pet {
  lastId += 1n;
  const pet: Pet = { id: lastId, name, categoryId, status };
  index.add([pet]);
  return pet;
}

const find = (text: string, limit = 10) => index.find({ text }, { limit }).pets.map(({ name }) => name);

describe('finding by words', () => {
  it('ignores case and accents, and finds words in any order and any part of the name', () => {
    add('Zoë');
    add('Black ferret');
    expect(find('ZOE')).toEqual(['Zoë']);
    expect(find('ferret black')).toEqual(['Black ferret']);
    expect(find('erre')).toEqual(['Black ferret']);
    expect(find('ferret white')).toEqual([]);
  });

  it('lists the best matches first: the beginning of the name, of a word, any part; sold animals last', () => {
    for (const name of ['T-Rex', 'Rex the Second', 'Old Rex', 'Rex']) add(name);
    add('Rex', { status: 'sold' });
    expect(find('rex')).toEqual(['Rex', 'Rex the Second', 'Rex', 'Old Rex', 'T-Rex']);
  });

  it('lists the newest of equal matches first', () => {
    add('Ferret 1');
    add('Ferret 2');
    expect(find('ferret')).toEqual(['Ferret 2', 'Ferret 1']);
  });

  it('also looks at statuses and the names of categories', () => {
    index.setCategoryNames(
      new Map([
        [7n, 'Rabbits'],
        [9n, 'Guinea pigs'],
      ]),
    );
    add('Hoppel');
    add('Rosa', { categoryId: 9n });
    add('Max', { categoryId: 9n, status: 'pending' });
    expect(find('rabbit')).toEqual(['Hoppel']);
    expect(find('pigs')).toEqual(['Max', 'Rosa']);
    expect(find('pig pending')).toEqual(['Max']);
    expect(find('ra')).toEqual([]);
  });

  it('returns a part of the matches, and the number of all', () => {
    for (let count = 1; count <= 5; count += 1) add(`Ferret ${count}`);
    const { pets, count } = index.find({ text: 'ferret' }, { skip: 2, limit: 2, order: 'asc' });
    expect([pets.map(({ name }) => name), count]).toEqual([['Ferret 3', 'Ferret 4'], 5]);
  });
});

describe('the filter', () => {
  beforeEach(() => {
    add('Rex');
    add('Mia', { status: 'sold' });
    add('Rosa', { categoryId: 9n });
    add('Ada', { categoryId: 11n });
  });

  it('takes several categories and a status, the newest first', () => {
    const { pets } = index.find({ categories: [7n, 9n], status: 'available' }, { limit: 10 });
    expect(pets.map(({ name }) => name)).toEqual(['Rosa', 'Rex']);
  });

  it('has counts of each category, which do not depend on the chosen categories', () => {
    expect(index.countCategories({ categories: [9n], text: 'a' })).toEqual([
      { categoryId: 11n, counts: { available: 1, pending: 0, sold: 0 } },
      { categoryId: 9n, counts: { available: 1, pending: 0, sold: 0 } },
      { categoryId: 7n, counts: { available: 0, pending: 0, sold: 1 } },
    ]);
  });
});

describe('findSame', () => {
  it('returns the animals of the category with this name, whatever its case, accents and outer spaces', () => {
    add('Zoë');
    add('zoe ', { status: 'sold' });
    add('Zoe', { categoryId: 8n });
    add('Zoe 2');
    expect(index.findSame(' ZOE', 7n).map(({ id }) => id)).toEqual([2n, 1n]);
  });
});

describe('the limit', () => {
  it('keeps the newest animals', () => {
    index = new PetIndex(2);
    for (const name of ['a', 'b', 'c']) add(name);
    expect([index.size, index.isLimitReached, index.newest?.name, index.oldest?.name]).toEqual([2, true, 'c', 'b']);
  });
});

describe('firstGap', () => {
  it('is the lowest number from the start that no animal has', () => {
    index.add([1n, 2n, 4n].map((id) => ({ id, name: 'x', categoryId: 1n, status: 'sold' })));
    expect([index.firstGap(-5n), index.firstGap(2n), index.firstGap(4n)]).toEqual([3n, 3n, 5n]);
  });
});
