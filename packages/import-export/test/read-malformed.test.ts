import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readRows } from '../src/rows.js';
import { faultsOf, rowsOf, textOf } from './support/files.js';

const valid = { name: 'Rex', categoryId: 7n };

describe('a malformed CSV line', () => {
  it('with an open quote does not hide later lines with quotes', async () => {
    expect(await rowsOf('name,categoryId\n"Rex,7\n"Bel""la",8\nRex,7\n"Max,9\nRex,7\n')).toEqual([
      { line: 2, faults: [{ code: 'misplacedQuote' }], cells: ['"Rex,7'] },
      { line: 3, pet: { name: 'Bel"la', categoryId: 8n } },
      { line: 4, pet: valid },
      { line: 5, faults: [{ code: 'openQuote' }], cells: ['"Max,9'] },
      { line: 6, pet: valid },
    ]);
  });

  it('with an open quote in a long file costs only the following 64 KiB', async () => {
    const rows = await rowsOf(`name,categoryId\n"Rex,7\n${'Rex,7\n'.repeat(20_000)}`, { chunkBytes: 65_536 });
    expect(rows).toHaveLength(20_001);
    expect(rows.filter((row) => 'faults' in row)).toEqual([
      { line: 2, faults: [{ code: 'openQuote' }], cells: ['"Rex,7'] },
    ]);
  });
});

it.for([
  ['an open quote in each line', '"Rex,7\n'],
  ['quoted line breaks in each line', '"\n"x,"\n'],
])(
  'A CSV file of 1 MB with %s is read without quadratic time, which would exceed the timeout',
  async ([, text = '']) => {
    const rows = await rowsOf(`name,categoryId\n${text.repeat(1_000_000 / text.length)}`, { chunkBytes: 65_536 });
    expect(rows.length).toBeGreaterThan(25_000);
  },
);

describe('a malformed NDJSON line', () => {
  it.for([
    ['{"name":"Rex"', 'notJson unexpected end'],
    ['["Rex",7]', 'notObject'],
    ['null', 'notObject'],
    ['{"name":"Rex","categoryId":"7"}', 'categoryId wrongType "7"'],
    ['{"name":"Rex","categoryId":1e999}', 'categoryId outOfRange'],
    ['{"name":7,"categoryId":7}', 'name wrongType 7'],
    ['{"categoryId":7}', 'name required'],
    ['{"name":"\\ud800","categoryId":7}', 'name unpairedSurrogate'],
    ['{"name":"Rex","categoryId":7,"status":null}', 'status unknownStatus null'],
    ['{"name":"Rex","categoryId":7,"status":"Sold"}', 'status unknownStatus "Sold"'],
    ['{"name":"Rex","categoryId":7,"color":"red"}', 'unknownField color'],
    ['{"name":"Rex","categoryId":7,"__proto__":{}}', 'unknownField __proto__'],
    ['{"name":"Rex","name":"Max","categoryId":7}', 'notJson duplicate member "name"'],
    ['['.repeat(30_000), 'notJson nested deeper'],
  ])('is named: %j', async ([line = '', fault = '']) => {
    const json = '{"name":"Rex","categoryId":7}';
    const [first, second, ...rest] = await rowsOf(`\uFEFF${json}\r\n${line}\n\n${json}`);
    expect([first, ...rest]).toEqual([
      { line: 1, pet: valid },
      { line: 4, pet: valid },
    ]);
    expect(second?.line).toBe(2);
    expect(second && 'faults' in second && second.faults.map(textOf).join()).toContain(fault);
  });

  it('keeps exact integers, in every form that the service accepts', async () => {
    const rows = await rowsOf(
      '{"id":1,"name":"Rex","categoryId":9007199254740993}\n{"name":"Rex","categoryId":1e2}\n{"name":"Rex","categoryId":-1.0}',
    );
    expect(rows.map((row) => 'pet' in row && row.pet.categoryId)).toEqual([9007199254740993n, 100n, -1n]);
  });
});

describe('a file that is not CSV or NDJSON', () => {
  it.for<[string, string | Uint8Array, string]>([
    ['random bytes', Buffer.concat([Buffer.from([0xff, 0]), randomBytes(200_000)]), 'undecodable'],
    ['gzip', gzipSync('name,categoryId\nRex,7\n'), 'undecodable'],
    ['a JSON array', '[{"name":"Rex","categoryId":7}]', 'jsonArray'],
  ])('is rejected at its first line: %s', async ([, content, fault]) => {
    expect(await faultsOf(content)).toEqual([`1: ${fault}`]);
  });

  it('without line ends is read without holding it in memory', async () => {
    const chunk = new Uint8Array(1_000_000).fill(0x61);
    const rows = [];
    for await (const row of readRows(async function* endless() {
      for (let count = 0; count < 100; count += 1) yield chunk;
    })) {
      rows.push(row);
    }
    expect(rows).toEqual([{ line: 1, faults: [{ code: 'longLine' }] }]);
    expect(process.memoryUsage().arrayBuffers).toBeLessThan(50_000_000);
  });
});
