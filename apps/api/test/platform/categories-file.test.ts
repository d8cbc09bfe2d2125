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

/** The message of the ConfigError. */
async function faultOf(reading: Promise<unknown>): Promise<string | undefined> {
  const error = await reading.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConfigError);
  return (error as ConfigError).faults[0];
}

describe('CATEGORIES_FILE', () => {
  const dogsAndCats = { 1: 'Dogs', 2: 'Cats' };
  it.each<[how: string, content: string | Buffer, names: Record<number, string>]>([
    ['with a header row', 'number,name\n1,Dogs\n2,Cats\n', dogsAndCats],
    ['without a header row', '1,Dogs\n2,Cats\n', dogsAndCats],
    ['with a byte order mark', '\uFEFFnumber,name\n1,Dogs\n2,Cats\n', dogsAndCats],
    ['with tabs', '1\tDogs\n2\tCats\n', dogsAndCats],
    ['in Windows-1252', Buffer.from('1;K\xE4se\r\n2;\x84Katze\x93\r\n', 'latin1'), { 1: 'Käse', 2: '„Katze“' }],
    ['with only a header row', 'number,name\n', {}],
    ['with white space around the cells', ' 0 , Käse\u00A0\n', { 0: 'Käse' }],
    ['with a line break in a name', '2,"two\nlines"\n', { 2: 'two lines' }],
  ])('is valid %s', async (_how, content, names) => {
    expect(await read(content)).toEqual(Object.entries(names).map(([id, name]) => ({ id: BigInt(id), name })));
  });

  it.each([
    ['one cell', '1,Dogs\n2\n', 'line 2 must have 2 cells, number and name, not 1'],
    ['text for a number', 'number,name\none,Dogs\n', 'line 2: number must be an integer between -9223372036854775808'],
    ['a name without visible characters', '1,"\u200B"\n', 'line 1: name must not be empty'],
    ['a long name', `1,${'x'.repeat(201)}\n`, 'line 1: name must have at most 200'],
    ['a number twice', '1,Dogs\n2,Cats\n1,Birds\n', 'line 3: number 1 is already in line 1'],
    ['an unclosed quotation mark', '1,Dogs\n2,"Cats\n3,Birds\n', 'Row 2: a quotation mark opens a cell'],
    ['an Excel workbook', 'PK\u0003\u0004…xl/workbook.xml', 'it is an Excel workbook. Save it as CSV'],
    ['a formula', '1,Dogs\n2,=T("Cats")\n', 'line 2 has a formula. Write its result'],
    ['a fault after a name of two lines', '1,"two\nlines"\nx,Cats\n', 'line 2: number must be an integer'],
  ])('is invalid with %s', async (_what, content, fault) => {
    expect(await faultOf(read(content))).toContain(
      `CATEGORIES_FILE: cannot read ${pathOf('categories.csv')}: ${fault}`,
    );
  });

  it('must have at most 1 MB', async () => {
    expect(await faultOf(read('1,Dogs\n'.repeat(150_000)))).toContain('more than 1 MB');
  });

  it('must be a file that can be read', async () => {
    const fault = await faultOf(readCategoriesFile(pathOf('missing')));
    expect(fault).toContain(`cannot read ${pathOf('missing')}: ENOENT`);
  });
});
