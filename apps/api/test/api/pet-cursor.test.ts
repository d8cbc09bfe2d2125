import { int64, listOrders, type PetFilter, petStatuses } from '@petstore/contracts';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, type Walk } from '../../src/features/pets/pet-cursor.js';

const id = fc.bigInt(int64);
// A new filter does not compile until it is here. Few values, so that equal walks are common.
const filter: { [Name in keyof PetFilter]-?: fc.Arbitrary<NonNullable<PetFilter[Name]>> } = {
  status: fc.constantFrom(...petStatuses),
  categoryId: fc.constantFrom([1n], [1n, 2n], [2n]),
  q: fc.constantFrom('rex', 'rex,2', 'rex 2'),
};
const walk: fc.Arbitrary<Walk> = fc.record({
  filter: fc.record(filter, { requiredKeys: [] }),
  order: fc.constantFrom(...listOrders),
});

function isSame(one: Walk, other: Walk): boolean {
  return isDeepStrictEqual({ ...one, filter: { ...one.filter } }, { ...other, filter: { ...other.filter } });
}

describe('a cursor', () => {
  it('decodes to its id, for the same walk only', () => {
    fc.assert(
      fc.property(walk, walk, id, (encodedWalk, decodedWalk, lastId) => {
        const cursor = encodeCursor(encodedWalk, lastId);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]{16}$/);
        expect(decodeCursor(decodedWalk, cursor)).toBe(isSame(encodedWalk, decodedWalk) ? lastId : undefined);
      }),
    );
  });

  it('is rejected when a character is changed, added or missing', () => {
    const change = fc.record({
      at: fc.nat({ max: 20 }),
      removed: fc.nat({ max: 1 }),
      put: fc.constantFrom('', ...'ABCxyz019-_=+/ \n'),
    });
    fc.assert(
      fc.property(walk, id, change, (encodedWalk, lastId, { at, removed, put }) => {
        const cursor = encodeCursor(encodedWalk, lastId);
        const changed = cursor.slice(0, at) + put + cursor.slice(at + removed);
        expect(decodeCursor(encodedWalk, changed)).toBe(changed === cursor ? lastId : undefined);
      }),
    );
  });
});
