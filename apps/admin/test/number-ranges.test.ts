import { describe, expect, it } from 'vitest';
import { formatRanges, parseRanges, takeNumbers } from '../src/features/labels/number-ranges.js';

const range = (first: bigint, last = first) => ({ first, last });

describe('parseRanges', () => {
  it.each([
    ['12', [range(12n)]],
    ['12, 15-20', [range(12n), range(15n, 20n)]],
    ['15 - 20;3', [range(15n, 20n), range(3n)]],
    ['15–20', [range(15n, 20n)]],
    ['007 7-007', [range(7n), range(7n)]],
    ['http://192.168.1.5:3000/pets/12 13', [range(12n), range(13n)]],
    ['9223372036854775807', [range(9223372036854775807n)]],
    ['', []],
  ])('reads %j', (text, ranges) => {
    expect(parseRanges(text)).toEqual(ranges);
  });

  it.each(['x', '12, x', '5-2', '0', '-3', '1.5', '12345678901234567890'])('rejects %j', (text) => {
    expect(parseRanges(text)).toBeUndefined();
  });
});

describe('formatRanges', () => {
  it('writes what parseRanges reads', () => {
    const ranges = [range(12n), range(15n, 20n)];
    expect(formatRanges(ranges)).toBe('12, 15-20');
    expect(parseRanges(formatRanges(ranges))).toEqual(ranges);
  });
});

describe('takeNumbers', () => {
  const ranges = [range(1n, 3n), range(10n), range(20n, 9_000_000_000n)];

  it('continues over the borders of ranges, without building a long range', () => {
    expect(takeNumbers(ranges, 0n, 2n)).toEqual([1n, 2n]);
    expect(takeNumbers(ranges, 2n, 4n)).toEqual([3n, 10n, 20n, 21n]);
    expect(takeNumbers(ranges, 4n, 1n)).toEqual([20n]);
  });

  it('returns fewer numbers at the end', () => {
    expect(takeNumbers([range(1n, 3n)], 2n, 5n)).toEqual([3n]);
    expect(takeNumbers([range(1n, 3n)], 3n, 5n)).toEqual([]);
  });
});
