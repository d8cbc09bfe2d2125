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

describe('a cursor', () => {
  it('decodes to its id, for the same walk only', () => {
    fc.assert(
      fc.property(walk, walk, id, (encodedWalk, decodedWalk, lastId) => {
        expect(decodeCursor(decodedWalk, encodeCursor(encodedWalk, lastId))).toBe(
          isSame(encodedWalk, decodedWalk) ? lastId : undefined,
        );
      }),
    );
  });

  it('needs no escaping in a URL', () => {
    fc.assert(
      fc.property(walk, id, (encodedWalk, lastId) => {
        expect(encodeCursor(encodedWalk, lastId)).toMatch(/^[A-Za-z0-9_-]{18}$/);
      }),
    );
  });

  it('is rejected when it is any other text', () => {
    const cursorLike = fc.stringMatching(/^[A-Za-z0-9_-]{18}$/);
    fc.assert(
      fc.property(walk, fc.oneof(fc.string({ unit: 'binary' }), cursorLike), (decodedWalk, text) => {
        expect(decodeCursor(decodedWalk, text)).toBeUndefined();
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
