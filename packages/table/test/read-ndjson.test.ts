import { expect, it } from 'vitest';
import { readTable } from '../src/read-table.js';
import type { TableRow } from '../src/table.js';

const fields = ['id', 'name', 'categoryId', 'status'];

async function rowsOf(text: string): Promise<readonly TableRow[]> {
  return (await readTable(Buffer.from(text), { fields })).rows;
}

it('Each line is a row, with the cells in the order of the fields', async () => {
  const text = '\uFEFF\n{"categoryId":7,"name":" =Zo\\u00eb"}\r\n\n{"name":"Rex","status":null,"id":1}';
  expect(await rowsOf(text)).toEqual([
    { number: 2, cells: ['', ' =Zoë', '7'] },
    { number: 4, cells: ['1', 'Rex'] },
  ]);
});

it.for([
  ['9007199254740993', '9007199254740993'],
  ['1e2', '100'],
  ['-1.0', '-1'],
  ['1.5', '1.5'],
  ['"7"', '7'],
])('The number %s is exact', async ([number, text]) => {
  expect((await rowsOf(`{"categoryId":${number}}`))[0]).toEqual({ number: 1, cells: ['', '', text] });
});

it.for(['true', '[7]', '{"a":1}'])('The value %s is neither a text nor a number', async (json) => {
  expect(await rowsOf(`{"name":${json}}`)).toEqual([{ number: 1, cells: ['', json], cellFaults: { 1: 'wrongType' } }]);
});

it.for([
  [
    '{"name":"Rex"',
    'notJson',
    "Quoted object key or end of object '}' expected but reached end of input at position 13",
  ],
  ['["Rex",7]', 'notObject', undefined],
  ['null', 'notObject', undefined],
  ['{"name":"Rex","color":"red"}', 'unknownField', 'color'],
  ['{"name":"Rex","__proto__":{}}', 'unknownField', '__proto__'],
  ['{"name":"Rex","name":"Max"}', 'notJson', "Duplicate key 'name' encountered at position 15"],
  ['['.repeat(30_000), 'notJson', 'Nested too deeply'],
])('A line that is no object with known members is a fault: %j', async ([line, code, value]) => {
  const [, row, ...others] = await rowsOf(`{"name":"Rex"}\n${line}\n{"name":"Max"}`);
  expect(row).toEqual({ number: 2, cells: [], fault: { code, value } });
  expect(others).toHaveLength(1);
});

it('Without fields, it is CSV', async () => {
  expect((await readTable(Buffer.from('{"name":"Rex"}'))).format).toBe('csv');
});
