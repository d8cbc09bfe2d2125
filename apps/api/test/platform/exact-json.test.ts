import { parseJson, stringifyJson } from '@petstore/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

/** Has up to 40 digits, which are read exactly, so it can exceed int64. */
const integer = fc.bigInt({ min: -(10n ** 40n) + 1n, max: 10n ** 40n - 1n });
const nonzero = integer.filter((value) => value !== 0n);
const fraction = fc.double({ noDefaultInfinity: true, noNaN: true }).filter((number) => !Number.isInteger(number));
const text = fc.string({ unit: 'binary' });
const { value: plainData } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    integer,
    fraction,
    text,
    fc.boolean(),
    fc.constant(null),
    tie('array'),
    tie('object'),
  ),
  array: fc.array(tie('value'), { maxLength: 5 }),
  object: fc.dictionary(fc.oneof(text, fc.constantFrom('__proto__', 'constructor', '')), tie('value'), { maxKeys: 5 }),
}));

describe('parseJson', () => {
  it('parses the output of stringifyJson with every digit of its integers', () => {
    fc.assert(
      fc.property(plainData, (value) => {
        expect(parseJson(stringifyJson(value))).toEqual(value);
      }),
    );
  });

  it('reads an integer exactly, in every notation', () => {
    const zeros = fc.nat({ max: 20 });
    fc.assert(
      fc.property(nonzero, zeros, zeros, (value, behind, shift) => {
        const sign = value < 0n ? '-' : '';
        const digits = String(value < 0n ? -value : value);
        const split = Math.max(digits.length - shift, 1);
        const pointed = `${sign}${digits.slice(0, split)}.${digits.slice(split)}${'0'.repeat(behind)}0e${digits.length - split}`;
        const others = [`${value}`, `${value}.0${'0'.repeat(behind)}`, `${value}${'0'.repeat(behind)}e-${behind}`];
        for (const written of [...others, pointed]) expect(parseJson(written), written).toBe(value);
      }),
    );
  });
});
