import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWithNumbersAsTexts, stringifyFlat } from '../src/exact-json.js';

const scalar = fc.oneof(fc.string({ unit: 'binary' }), fc.boolean(), fc.constant(null));

describe('JSON without rounding', () => {
  it('reads any JSON as JSON.parse does, but for numbers, which are the text they were written as', () => {
    const asTexts = (_: string, value: unknown) => (typeof value === 'number' ? JSON.stringify(value) : value);
    fc.assert(
      fc.property(fc.json(), (text) => {
        // JSON.stringify is undone once: what `text` has of numbers is as JSON.stringify writes them.
        expect(parseWithNumbersAsTexts(text)).toEqual(JSON.parse(text, asTexts));
      }),
      { numRuns: 1000 },
    );
  });

  it('reads what it wrote, with every digit, whatever the texts hold', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), scalar),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        (others, id) => {
          const { __proto__: _, ...members } = others;
          expect(parseWithNumbersAsTexts(stringifyFlat({ ...members, id }))).toEqual({ ...members, id: String(id) });
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('leaves out what is undefined', () => {
    expect(stringifyFlat({ name: 'Rex', categoryId: -1n, status: undefined })).toBe('{"name":"Rex","categoryId":-1}');
  });

  it.each(['', '{', '[1,]', '[01]', '{"a":1} x', '<html>'])('throws a SyntaxError on %j', (text) => {
    expect(() => parseWithNumbersAsTexts(text)).toThrow(SyntaxError);
  });
});
