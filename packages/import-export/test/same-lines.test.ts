import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { rowsOf } from './support/files.js';

const int64 = fc.bigInt({ min: -(2n ** 63n) - 2n, max: 2n ** 63n + 1n }).map(String);
const numbers = fc.oneof(
  int64,
  int64.map((digits) => `${digits}.0`),
  fc.tuple(int64, fc.integer({ min: -21, max: 21 })).map(([digits, exponent]) => `${digits}e${exponent}`),
  fc.constantFrom('1e18', '9007199254740993.0', '-0', '0.1e1', '1E+2', '1e400', '0.5', '01', '+1', '1.', 'NaN'),
);
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 210 }).map((text) => JSON.stringify(text)),
  fc.constantFrom('""', '" "', '"\\u0085"', '"\\ud800"', '"\\u0000"', '"a\tb"', '"\\x"', `"${'🐕'.repeat(200)}"`),
);
const values = fc.oneof(numbers, texts, fc.constantFrom('null', 'true', '[]', '{"a":1}', '"available"', '"Sold"'));
const member = fc.oneof(
  { arbitrary: fc.tuple(fc.constant('name'), texts), weight: 3 },
  { arbitrary: fc.tuple(fc.constant('categoryId'), numbers), weight: 3 },
  { arbitrary: fc.tuple(fc.constantFrom('name', 'categoryId', 'status', 'color', '__proto__'), values), weight: 1 },
);
const object = (members: [string, string][]) =>
  `{${members.map(([name, value]) => `"${name}" : ${value}`).join(',\t')}}`;
const almostValid = fc
  .tuple(texts, numbers, fc.array(member, { maxLength: 1 }))
  .map(([name, categoryId, others]) => object([['name', name], ['categoryId', categoryId], ...others]));
const plain = fc
  .tuple(
    fc.string({ minLength: 1 }).map((name) => JSON.stringify(`x${name}`)),
    numbers,
    fc.constantFrom('sold', 'pending'),
  )
  .map(([name, categoryId, status]) =>
    object([
      ['status', `"${status}"`],
      ['name', name],
      ['categoryId', categoryId],
    ]),
  );
const lines = fc.oneof(
  almostValid,
  plain,
  fc.array(member, { maxLength: 4 }).map(object),
  almostValid.chain((line) => fc.nat({ max: line.length - 1 }).map((end) => line.slice(0, end))),
  values,
);

async function isAccepted(line: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${inject('apiKey')}`, 'content-type': 'application/json' };
  const { status } = await fetch(`${inject('serviceUrl')}/v1/pets`, { method: 'POST', headers, body: line });
  expect([201, 400]).toContain(status);
  return status === 201;
}

it('An import accepts exactly the lines that the service accepts as a body', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(lines, async (line) => {
      // An import skips blank lines.
      fc.pre(line.trim() !== '');
      const [, row] = await rowsOf(`{}\n${line}`);
      const isValid = row !== undefined && 'pet' in row;
      if (isValid) accepted += 1;
      expect(isValid).toBe(await isAccepted(line));
    }),
    { numRuns: 400 },
  );
  expect(accepted).toBeGreaterThan(20);
});
