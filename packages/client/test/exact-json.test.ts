import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWithNumbersAsText, stringifyFlat } from '../src/exact-json.js';

const scalar = fc.oneof(fc.string({ unit: 'binary' }), fc.boolean(), fc.constant(null));

describe('exact JSON', () => {
  it('parses like JSON.parse, with numbers as text', () => {
    const numbersAsText = (_: string, value: unknown) => (typeof value === 'number' ? JSON.stringify(value) : value);
    fc.assert(
      fc.property(fc.json(), (text) => {
        // JSON.stringify normalizes the numbers of `text` in the same way.
        expect(parseWithNumbersAsText(text)).toEqual(JSON.parse(text, numbersAsText));
      }),
      { numRuns: 1000 },
    );
  });

  it('parses what it serialized, with all digits', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), scalar),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        (others, id) => {
          const { __proto__: _, ...members } = others;
          expect(parseWithNumbersAsText(stringifyFlat({ ...members, id }))).toEqual({ ...members, id: String(id) });
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('omits undefined', () => {
    expect(stringifyFlat({ name: 'Rex', categoryId: -1n, status: undefined })).toBe('{"name":"Rex","categoryId":-1}');
  });

  it.each(['', '{', '[1,]', '[01]', '{"a":1} x', '<html>'])('throws a SyntaxError on %j', (text) => {
    expect(() => parseWithNumbersAsText(text)).toThrow(SyntaxError);
  });
});
