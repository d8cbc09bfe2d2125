import { describe, expect, it } from 'vitest';
import { checkFile } from '../src/check-file.js';
import { readCsvStart } from '../src/read-start.js';
import { refusedRows } from '../src/refused-rows.js';
import { readRows } from '../src/rows.js';
import { fileOf } from './support/files.js';

describe('columns that a person chooses', () => {
  it('replace those of the first line, and the others are ignored', async () => {
    const rows = [];
    const file = fileOf('Pen\tPet\tKind\nA\tRex\t7\nB\tBella\n');
    for await (const row of readRows(file, [undefined, 'name', 'categoryId'])) rows.push(row);
    expect(rows).toEqual([
      { line: 2, pet: { name: 'Rex', categoryId: 7n } },
      { line: 3, fault: 'The number of columns is 2 instead of 3.' },
    ]);
  });

  it('belong to the checked file', async () => {
    const columns = ['name', 'categoryId'] as const;
    const checked = await checkFile(fileOf('Pet,Kind\nRex,7\n'), () => undefined, columns);
    expect([checked.valid, checked.invalid, checked.columns]).toEqual([1, 0, columns]);
  });
});

describe('the start of a CSV file', () => {
  it('has the names, the columns that they stand for, and the first rows', async () => {
    const start = await readCsvStart(
      fileOf('\uFEFF\nID;Name;Category;name\r\n1;"a;b";7;\r\n2;c;8;\n3;d;9;\n4;e;10;\n'),
    );
    expect(start).toEqual({
      names: ['ID', 'Name', 'Category', 'name'],
      columns: ['id', 'name', 'categoryId', undefined],
      rows: [
        ['1', 'a;b', '7', ''],
        ['2', 'c', '8', ''],
        ['3', 'd', '9', ''],
      ],
    });
  });

  it.for(['', '\n', '{"name":"Rex"}', new Uint8Array([0x50, 0x4b, 0xff])])('is undefined for %j', async (content) => {
    expect(await readCsvStart(fileOf(content))).toBeUndefined();
  });
});

describe('the refused rows', () => {
  it('have their cells, line and reason, and no cell that a spreadsheet runs', async () => {
    const reasons = new Map([
      [2, 'Too "big".'],
      [4, 'No category.'],
      [7, 'A quote is not closed.'],
    ]);
    const file = fileOf('name;categoryId\n=1+1;-99\nRex;7\n"a\nb";x\nMilo;7\n"c;7\nLuna;7\n');
    let text = '';
    for await (const part of refusedRows(file, reasons)) text += part;
    expect(text.split('\r\n')).toEqual([
      'name,categoryId,Line,Reason',
      `'=1+1,-99,2,"Too ""big""."`,
      '"a\nb",x,4,No category.',
      `"""c;7",7,A quote is not closed.`,
      '',
    ]);
  });
});
