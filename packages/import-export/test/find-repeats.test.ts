import type { Pet } from '@petstore/contracts';
import { describe, expect, it } from 'vitest';
import { findRepeats } from '../src/find-repeats.js';

/** Reads the animals of a store by category, one per page, and notes the categories. */
function storeOf(...animals: [name: string, categoryId: bigint][]) {
  const pets = animals.map(([name, categoryId], index): Pet => {
    return { id: BigInt(index + 1), name, categoryId, status: 'available' };
  });
  const requests: bigint[][] = [];
  async function* read(categoryId: readonly bigint[]) {
    requests.push([...categoryId]);
    for (const pet of pets) if (categoryId.includes(pet.categoryId)) yield { pets: [pet] };
  }
  return { read, requests };
}

const fileOf = (...animals: [name: string, categoryId: bigint][]) =>
  animals.map(([name, categoryId], index) => ({ line: index + 2, name, categoryId }));

describe('the repeats of a file', () => {
  it('are the animals whose name and category the store or an earlier line has, whatever the case and accents', async () => {
    const file = fileOf(['Zoë', 7n], ['zoe ', 7n], ['Zoë', 8n], ['Max', 7n], ['Max', 7n], ['Milo', 9n]);
    const { read } = storeOf(['ZOE', 7n], ['milo', 9n], ['Zoë', 9n]);
    expect(await findRepeats(file, read)).toEqual({
      existing: [
        { line: 2, name: 'Zoë', categoryId: 7n, petId: 1n },
        { line: 3, name: 'zoe ', categoryId: 7n, petId: 1n },
        { line: 7, name: 'Milo', categoryId: 9n, petId: 2n },
      ],
      repeated: [{ line: 6, name: 'Max', categoryId: 7n }],
    });
  });

  it('are also those whose names differ only in spaces and invisible characters', async () => {
    const { read } = storeOf(['Skip Me\u200B', 7n], ['❤', 7n]);
    const names = [' Skip  Me ', 'Skip\u00A0Me', 'SkipMe', 'S\u200Bkip\u3164M\u200Ee', '❤\uFE0F'];
    const { existing } = await findRepeats(fileOf(...names.map((name): [string, bigint] => [name, 7n])), read);
    expect(existing.map(({ line, petId }) => [line, petId])).toEqual([
      [2, 1n],
      [3, 1n],
      [5, 1n],
      [6, 2n],
    ]);
  });

  it('are searched only in the categories of the file, 20 at a time', async () => {
    const file = fileOf(...Array.from({ length: 45 }, (_, index): [string, bigint] => ['Rex', BigInt(index % 41)]));
    const { read, requests } = storeOf(['Rex', 40n], ['Rex', 41n]);
    const { existing, repeated } = await findRepeats(file, read);
    expect(existing.map(({ categoryId }) => categoryId)).toEqual([40n]);
    expect(repeated.map(({ categoryId }) => categoryId)).toEqual([0n, 1n, 2n, 3n]);
    expect(requests.map(({ length }) => length)).toEqual([20, 20, 1]);
    expect(new Set(requests.flat()).size).toBe(41);
  });
});
