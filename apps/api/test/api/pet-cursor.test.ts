import { int64, listOrders, petStatuses } from '@petstore/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, type Walk } from '../../src/features/pets/pet-cursor.js';

const id = fc.bigInt(int64);
const walk: fc.Arbitrary<Walk> = fc.record({
  status: fc.constantFrom(undefined, ...petStatuses),
  order: fc.constantFrom(...listOrders),
});

function isSame(one: Walk, other: Walk): boolean {
  return one.status === other.status && one.order === other.order;
}

describe('A cursor', () => {
  it('gives back the id that it was made of, to the same walk only', () => {
    fc.assert(
      fc.property(walk, walk, id, (made, used, lastId) => {
        expect(decodeCursor(used, encodeCursor(made, lastId))).toBe(isSame(made, used) ? lastId : undefined);
      }),
    );
  });

  it('can stand in a URL as it is', () => {
    fc.assert(
      fc.property(walk, id, (made, lastId) => {
        expect(encodeCursor(made, lastId)).toMatch(/^[A-Za-z0-9_-]{18}$/);
      }),
    );
  });

  it('is refused when it is any other text', () => {
    const cursorLike = fc.stringMatching(/^[A-Za-z0-9_-]{18}$/);
    fc.assert(
      fc.property(walk, fc.oneof(fc.string({ unit: 'binary' }), cursorLike), (used, text) => {
        expect(decodeCursor(used, text)).toBeUndefined();
      }),
    );
  });

  it('is refused when a character of it is changed, added or missing', () => {
    const change = fc.record({
      at: fc.nat({ max: 20 }),
      removed: fc.nat({ max: 1 }),
      put: fc.constantFrom('', ...'ABCxyz019-_=+/ \n'),
    });
    fc.assert(
      fc.property(walk, id, change, (made, lastId, { at, removed, put }) => {
        const cursor = encodeCursor(made, lastId);
        const changed = cursor.slice(0, at) + put + cursor.slice(at + removed);
        expect(decodeCursor(made, changed)).toBe(changed === cursor ? lastId : undefined);
      }),
    );
  });
});
