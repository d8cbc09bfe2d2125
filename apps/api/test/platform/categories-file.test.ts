import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCategoriesFile } from '../../src/features/categories/categories-file.js';
import { ConfigError } from '../../src/platform/errors/startup-error.js';
import { useFolder } from '../support/folder.js';

const folder = useFolder();
const pathOf = (name: string) => join(folder.path, name);

async function read(content: string | Buffer) {
  await writeFile(pathOf('categories.csv'), content);
  return readCategoriesFile(pathOf('categories.csv'));
}

async function faultsOf(reading: Promise<unknown>): Promise<readonly string[]> {
  const error = await reading.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConfigError);
  return (error as ConfigError).faults.map((fault) => fault.replace(/^CATEGORIES_FILE: .*\.csv: /, ''));
}

describe('CATEGORIES_FILE', () => {
  const dogsAndCats = { 1: 'Dogs', 2: 'Cats' };
  it.each<[how: string, content: string, names: Record<number, string>]>([
    ['with a header row', 'number,name\n1,Dogs\n2,Cats\n', dogsAndCats],
    ['without a header row', '1,Dogs\n2,Cats\n', dogsAndCats],
    ['with the line breaks of Windows', 'Number,Name\r\n1,Dogs\r\n2,Cats\r\n', dogsAndCats],
    ['with a byte order mark', '\uFEFFnumber,name\n1,Dogs\n2,Cats\n', dogsAndCats],
    ['with quoted cells', '"number","name"\n"1","Dogs"\n2,"Cats"\n', dogsAndCats],
    ['without a line', '', {}],
    ['with only a header row', 'number,name\n', {}],
    ['with white space around a name', '0, Käse \n', { 0: ' Käse ' }],
    ['with quotation marks in a name', '1,"a ""b"", c"\n', { 1: 'a "b", c' }],
    ['with a line break in a name', '2,"two\nlines"\n', { 2: 'two\nlines' }],
  ])('is valid %s, and keeps names exactly as they are', async (_how, content, names) => {
    expect(await read(content)).toEqual(Object.entries(names).map(([id, name]) => ({ id: BigInt(id), name })));
  });

  it.each([
    ['one cell', '1,Dogs\n2\n', 'line 2 must have 2 cells, number and name, not 1'],
    ['text for a number', 'number,name\none,Dogs\n', 'line 2: number must be an integer between -9223372036854775808'],
    ['a number outside int64', '9223372036854775808,Dogs\n', 'line 1: number must be an integer'],
    ['no name', '1,\n', 'line 1: name must not be empty'],
    ['a long name', `1,${'x'.repeat(201)}\n`, 'line 1: name must have at most 200'],
    ['a NUL character', '1,a\0b\n', 'line 1: name must not contain a NUL character'],
    ['a number twice', '1,Dogs\n2,Cats\n1,Birds\n', 'line 3: number 1 is already on line 1'],
    ['an unclosed quotation mark', '1,Dogs\n2,"Cats\n3,Birds\n', 'line 2: a quoted cell has no closing quotation mark'],
    ['a fault after a name of two lines', '1,"two\nlines"\nx,Cats\n', 'line 3: number must be an integer'],
  ])('is invalid with %s', async (_what, content, fault) => {
    expect(await faultsOf(read(content))).toEqual([expect.stringContaining(fault)]);
  });

  it('is invalid if it is not UTF-8: the message names the lines', async () => {
    expect(await faultsOf(read(Buffer.from('1,Dogs\r\n2,K\xE4se\r\n3,K\xE4fer\r\n', 'latin1')))).toEqual([
      'line 2 must be UTF-8',
      'line 3 must be UTF-8',
    ]);
    const utf16 = Buffer.from('\uFEFF1,Dogs\n', 'utf16le');
    for (const content of [utf16, utf16.subarray(2)]) {
      expect(await faultsOf(read(content))).toEqual(['is UTF-16. Save it as UTF-8']);
    }
  });

  it('must be a file that can be read', async () => {
    const faults = await faultsOf(readCategoriesFile(pathOf('missing')));
    expect(faults).toEqual([expect.stringContaining(`cannot read ${pathOf('missing')}: ENOENT`)]);
  });
});
