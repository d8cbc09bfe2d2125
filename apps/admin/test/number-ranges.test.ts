import { describe, expect, it } from 'vitest';
import {
  formatRanges,
  parseRanges,
  rangeFaultText,
  takeNumbers,
  toRanges,
} from '../src/features/labels/number-ranges.js';

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
    expect(parseRanges(text)).toEqual({ ranges, faults: [] });
  });

  it.each([
    ['x', 'x is not a number or a range.'],
    ['1.5', '1.5 is not a number or a range.'],
    ['-3', '-3 is not a number or a range.'],
    ['5-2', '5-2 starts with the higher number: write 2-5.'],
    ['0', '0 is not possible: numbers start at 1.'],
    ['9223372036854775808', '9223372036854775808 has more digits than any number.'],
    ['5-2, x', '5-2 starts with the higher number: write 2-5. x is not a number or a range.'],
  ])('says why %j is rejected, and reads the other parts', (text, reason) => {
    const { ranges, faults } = parseRanges(`${text}, 7`);
    expect([rangeFaultText(faults), ranges]).toEqual([reason, [range(7n)]]);
  });
});

describe('formatRanges', () => {
  it('writes consecutive numbers as ranges, which parseRanges reads', () => {
    const ranges = toRanges([1n, 2n, 3n, 7n, 9n, 10n]);
    expect(formatRanges(ranges)).toBe('1-3, 7, 9-10');
    expect(parseRanges(formatRanges(ranges)).ranges).toEqual(ranges);
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
