import { expect, inject, it } from 'vitest';
import { rowsOf } from './support/files.js';

const names = [
  '"Rex"',
  '"a\\tb"',
  '"a\tb"',
  '"\\u0085"',
  '"\\ud800"',
  '"\\ud83d\\udc15"',
  '"\\u0000"',
  '"\\x"',
  '""',
  '" "',
];
const longNames = [200, 201].map((length) => `"${'🐕'.repeat(length)}"`);
const numbers = [
  '7',
  '7.0',
  '0.1e1',
  '1E+2',
  '1e18',
  '1e19',
  '1e400',
  '9007199254740993.0',
  '-0',
  '0.5',
  '01',
  '+1',
  '1.',
  'NaN',
];
const bounds = ['-9223372036854775808', '-9223372036854775809', '9223372036854775807', '9223372036854775808'];
const others = ['"status":"sold"', '"status":"Sold"', '"status":null', '"color":1', '"__proto__":{}', '"name":"Rex"'];

const lines = [
  ...[...names, ...longNames, 'null', '7'].map((name) => `{"name":${name},"categoryId":7}`),
  ...[...numbers, ...bounds, 'null', '"7"', '[7]'].map((number) => `{"name":"Rex","categoryId":${number}}`),
  ...others.map((member) => `{"name":"Rex",\t"categoryId" : 7,${member}}`),
  '{"name":"Rex"}',
  '{"name":"Rex","categoryId":7',
  '[]',
  '{}',
];

it.each(lines)('An import accepts a line only if the service accepts it as a body: %s', async (line) => {
  const headers = { authorization: `Bearer ${inject('apiKey')}`, 'content-type': 'application/json' };
  const { status } = await fetch(`${inject('serviceUrl')}/v1/pets`, { method: 'POST', headers, body: line });
  const [, row] = await rowsOf(`{}\n${line}`);
  expect(row !== undefined && 'pet' in row ? 201 : 400).toBe(status);
});
