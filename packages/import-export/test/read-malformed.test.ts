import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readRows } from '../src/rows.js';
import { faultsOf, rowsOf } from './support/files.js';

const valid = { name: 'Rex', categoryId: 7n };
const before = 'name,categoryId\nRex,7\n';
const after = '\nRex,7\n';

/** A file with one bad line, the third. The lines around it are valid. */
function fileWith(line: string | Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(before), Buffer.from(line), Buffer.from(after)]);
}

describe('a malformed CSV line', () => {
  it.for<[string, string | Uint8Array, string]>([
    ['too few columns', 'Rex', 'The number of columns is 1 instead of 2.'],
    ['too many columns', 'Rex,7,8', 'The number of columns is 3 instead of 2.'],
    ['a quote that is not closed', '"Rex,7', 'The line has a quote that is not closed.'],
    ['a quote in the middle', 'R"ex,7', 'The line has a quote that is not closed.'],
    ['text after a quote', '"Rex"x"",7', 'The line has a misplaced quote.'],
    ['a NUL', 'R\0ex,7', 'The line contains a NUL character.'],
    ['invalid UTF-8', Buffer.from('R\xe9x,7', 'latin1'), 'The line is not valid UTF-8. Save the file as UTF-8.'],
    [
      'a surrogate in UTF-8',
      Buffer.from([0xed, 0xa0, 0x80, 0x2c, 0x37]),
      'The line is not valid UTF-8. Save the file as UTF-8.',
    ],
    ['a huge field', `${'a'.repeat(70_000)},7`, 'The line is longer than 65536 bytes.'],
  ])('with %s is named, and the other lines are read', async ([, line, fault]) => {
    expect(await rowsOf(fileWith(line))).toEqual([
      { line: 2, pet: valid },
      { line: 3, fault },
      { line: 4, pet: valid },
    ]);
  });

  it('with an open quote does not hide later lines with quotes', async () => {
    expect(await rowsOf('name,categoryId\n"Rex,7\n"Bel""la",8\nRex,7\n"Max,9\nRex,7\n')).toEqual([
      { line: 2, fault: 'The line has a misplaced quote.' },
      { line: 3, pet: { name: 'Bel"la', categoryId: 8n } },
      { line: 4, pet: valid },
      { line: 5, fault: 'The line has a quote that is not closed.' },
      { line: 6, pet: valid },
    ]);
  });

  it('with an open quote in a long file costs only the following 64 KiB', async () => {
    const rows = await rowsOf(`name,categoryId\n"Rex,7\n${'Rex,7\n'.repeat(20_000)}`, 65_536);
    expect(rows).toHaveLength(20_001);
    expect(rows.filter((row) => 'fault' in row)).toEqual([
      { line: 2, fault: 'The line has a quote that is not closed.' },
    ]);
  });
});

describe('a malformed NDJSON line', () => {
  it.for([
    ['{"name":"Rex"', 'The line is not valid JSON: '],
    ['["Rex",7]', 'The line is not a JSON object.'],
    ['7', 'The line is not a JSON object.'],
    ['null', 'The line is not a JSON object.'],
    ['{"name":"Rex","categoryId":"7"}', '`categoryId` must be an integer, not a string.'],
    ['{"name":"Rex","categoryId":7.5}', '`categoryId` must be an integer between '],
    ['{"name":"Rex","categoryId":1e999}', '`categoryId` must be an integer between '],
    ['{"name":7,"categoryId":7}', '`name` must be a string, not a number.'],
    ['{"categoryId":7}', '`name` is required.'],
    ['{"name":"\\ud800","categoryId":7}', '`name` must not contain an unpaired surrogate.'],
    ['{"name":"Rex","categoryId":7,"status":null}', '`status` must be one of: available, pending, sold.'],
    ['{"name":"Rex","categoryId":7,"color":"red"}', '`color` is not a known field.'],
    ['{"name":"Rex","categoryId":7,"__proto__":{}}', '`__proto__` is not a known field.'],
    ['{"name":"Rex","name":"Max","categoryId":7}', 'The line is not valid JSON: duplicate member "name".'],
    ['['.repeat(30_000), 'The line is not valid JSON: '],
  ])('is named: %j', async ([line = '', fault = '']) => {
    const json = '{"name":"Rex","categoryId":7}';
    const [first, second, ...rest] = await rowsOf(`\uFEFF${json}\r\n${line}\n\n${json}`);
    expect([first, ...rest]).toEqual([
      { line: 1, pet: valid },
      { line: 4, pet: valid },
    ]);
    expect(second).toEqual({ line: 2, fault: expect.stringContaining(fault) as unknown });
  });

  it('keeps exact integers, in every form that the service accepts', async () => {
    const rows = await rowsOf(
      '{"id":1,"name":"Rex","categoryId":9007199254740993}\n{"name":"Rex","categoryId":1e2}\n{"name":"Rex","categoryId":-1.0}',
    );
    expect(rows.map((row) => 'pet' in row && row.pet.categoryId)).toEqual([9007199254740993n, 100n, -1n]);
  });
});

const notUtf8 = 'The line is not valid UTF-8. Save the file as UTF-8.';
const jsonArray = 'The file is a JSON array. Save it as NDJSON, with one object per line.';

describe('a file that is not CSV or NDJSON in UTF-8', () => {
  it.for<[string, string | Uint8Array, string]>([
    ['UTF-16 LE', Buffer.from('\uFEFFname,categoryId\nRex,7\n', 'utf16le'), notUtf8],
    ['UTF-16 BE', Buffer.from('\uFEFFname,categoryId\nRex,7\n', 'utf16le').swap16(), notUtf8],
    [
      'UTF-16 without byte order mark',
      Buffer.from('name,categoryId\nRex,7\n', 'utf16le'),
      'The line contains a NUL character.',
    ],
    ['random bytes', Buffer.concat([Buffer.from([0xff, 0]), randomBytes(200_000)]), notUtf8],
    ['gzip', gzipSync('name,categoryId\nRex,7\n'), notUtf8],
    ['a spreadsheet', 'PK\x03\x04\x14\0\x06\0', 'The line contains a NUL character.'],
    ['a JSON array', '[{"name":"Rex","categoryId":7}]', jsonArray],
    ['an indented JSON array', '[\n  {"name":"Rex","categoryId":7}\n]', jsonArray],
  ])('is rejected at its first line: %s', async ([, content, fault]) => {
    expect(await faultsOf(content)).toEqual([`1: ${fault}`]);
  });

  it('without line ends is read without holding it in memory', async () => {
    const chunk = new Uint8Array(1_000_000).fill(0x61);
    const rows = [];
    for await (const row of readRows(async function* endless() {
      for (let count = 0; count < 200; count += 1) yield chunk;
    })) {
      rows.push(row);
    }
    expect(rows).toEqual([{ line: 1, fault: 'The line is longer than 65536 bytes.' }]);
    expect(process.memoryUsage().arrayBuffers).toBeLessThan(50_000_000);
  });
});
