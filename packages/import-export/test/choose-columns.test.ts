import { describe, expect, it } from 'vitest';
import { readCsvStart } from '../src/read-start.js';
import { refusedRows } from '../src/refused-rows.js';
import { fileOf, rowsOf } from './support/files.js';

describe('columns that a person chooses', () => {
  it('replace those of the first line, and the others are ignored', async () => {
    const columns = [undefined, 'name', 'categoryId'] as const;
    const rows = await rowsOf('Pen\tPet\tKind\nA\tRex\t7\nB\tBella\n', { columns });
    expect(rows).toEqual([
      { line: 2, pet: { name: 'Rex', categoryId: 7n } },
      { line: 3, faults: [{ code: 'required', field: 'categoryId' }], cells: ['B', 'Bella'] },
    ]);
  });
});

describe('the start of a CSV file', () => {
  it('has the names, the columns that they stand for, and the first rows', async () => {
    const start = await readCsvStart(
      fileOf('\uFEFF\nID;Name;Category;name\r\n1;"a;b";7;\r\n2;c;8;\n3;d;9;\n4;e;10;\n'),
    );
    expect(start).toEqual({
      encoding: 'utf-8',
      doubtful: [],
      titles: [],
      titleRows: 0,
      hasHeader: true,
      names: ['ID', 'Name', 'Category', 'name'],
      columns: ['id', 'name', 'categoryId', undefined],
      rows: [
        ['1', 'a;b', '7'],
        ['2', 'c', '8'],
        ['3', 'd', '9'],
      ],
    });
  });

  it.for(['', '\n', '{"name":"Rex"}', new Uint8Array([0x50, 0x4b, 0, 0xff])])(
    'is undefined for %j',
    async (content) => {
      expect(await readCsvStart(fileOf(content))).toBeUndefined();
    },
  );
});

describe('rows above the names of the columns', () => {
  it.each([
    ['one title', 'Delivery of 2026\nname,category\nRex,7\n', ['Delivery of 2026']],
    ['a title in a file of a spreadsheet', 'Delivery;;\n;;\nTiername;Kategorie;Zustand\nRex;7;\n', ['Delivery']],
    ['two titles', 'Zoo Berlin\n2026-11-25\n\nAnimal|Category\nRex|7\n', ['Zoo Berlin', '2026-11-25']],
    ['a title of several cells', 'Zoo,Berlin,\nname,category,status\nRex,7,\n', ['Zoo Berlin']],
    ['no title', 'name,category\nRex,7\n', []],
    ['no title and no names', 'Rex,7\nBella,8\n', []],
  ])('are a title, which is skipped: %s', async (_, text, titles) => {
    const start = await readCsvStart(fileOf(text));
    expect(start).toMatchObject({ titles, titleRows: titles.length });
    const { hasHeader, titleRows } = start ?? {};
    const rows = await rowsOf(text, { columns: ['name', 'categoryId', 'status'], hasHeader, titleRows });
    expect(rows[0]).toMatchObject({ pet: { name: 'Rex', categoryId: 7n } });
    for await (const part of refusedRows(fileOf(text), new Map(), { hasHeader, titleRows }))
      expect(part).not.toContain('Zoo');
  });
});

describe('values that a person replaces', () => {
  it('count in all rows, without regard to case and outer spaces, and in their column only', async () => {
    const file =
      'name,category,status\nRex,Kaninchen,verkauft\nverkauft, KANINCHEN ,sold\nMax,7.5,Verkauft\nAda,constructor,\n';
    const settings = {
      columns: ['name', 'categoryId', 'status'] as const,
      replacements: [
        { field: 'categoryId', value: 'Kaninchen', by: '7' },
        { field: 'categoryId', value: '7.5', by: '8' },
        { field: 'status', value: 'VERKAUFT ', by: 'sold' },
      ] as const,
    };
    const rows = (await rowsOf(file, settings)).map((row) => ('pet' in row ? row.pet : row.faults));
    expect(rows).toEqual([
      { name: 'Rex', categoryId: 7n, status: 'sold' },
      { name: 'verkauft', categoryId: 7n, status: 'sold' },
      { name: 'Max', categoryId: 8n, status: 'sold' },
      [{ code: 'notNumber', field: 'categoryId', value: 'constructor' }],
    ]);
  });
});

describe('the start of a file', () => {
  it('has no header if the first line looks like a row, and then guesses the columns by the cells', async () => {
    expect(await readCsvStart(fileOf('sold;Rex;7\n;Bella;8\n'))).toMatchObject({
      hasHeader: false,
      names: ['', '', ''],
      columns: ['status', 'name', 'categoryId'],
      rows: [
        ['sold', 'Rex', '7'],
        ['', 'Bella', '8'],
      ],
    });
    expect(await readCsvStart(fileOf('Rex,7\n'), { hasHeader: true })).toMatchObject({ names: ['Rex', '7'], rows: [] });
  });

  it.for([
    ['Name', 'Category Number', 'Status'],
    ['Tiername', 'Kategorie', 'Zustand'],
    ["Nom de l'animal", 'Catégorie', 'État'],
    ['Nombre', 'Categoría', 'Estado'],
  ])('knows common names of columns: %s', async (names) => {
    const start = await readCsvStart(fileOf(`${names.join(';')}\nRex;7;sold\n`));
    expect(start?.columns).toEqual(['name', 'categoryId', 'status']);
  });

  it('is read in the chosen encoding', async () => {
    const file = fileOf(Buffer.from('name\nZo\xeb\n', 'latin1'));
    expect(await readCsvStart(file)).toMatchObject({ encoding: 'windows-1252', rows: [['Zoë']] });
    expect(await readCsvStart(file, { encoding: 'utf-8' })).toMatchObject({ encoding: 'utf-8', rows: [] });
  });
});

describe('the refused rows', () => {
  it('have their cells, line and reason, and no cell that a spreadsheet runs', async () => {
    const reasons = new Map([
      [2, 'Too "big".'],
      [4, 'No category.'],
      [7, 'A quote is not closed.'],
      [9, 'Too short.'],
      [10, 'Too long.'],
    ]);
    const file = fileOf('name;categoryId\n=1+1;-99\nRex;7\n"a\nb";x\nMilo;7\n"c;7\nLuna;7\nd\ne;7;sold\n');
    let text = '';
    for await (const part of refusedRows(file, reasons)) text += part;
    expect(text.split('\r\n')).toEqual([
      'name,categoryId,Line,Reason',
      `'=1+1,-99,2,"Too ""big""."`,
      '"a\nb",x,4,No category.',
      `"""c;7",,7,A quote is not closed.`,
      'd,,9,Too short.',
      'e,7,10,Too long.,sold',
      '',
    ]);
  });
});
