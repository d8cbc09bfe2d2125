import { describe, expect, it } from 'vitest';
import type { ReadSettings } from '../src/rows.js';
import { faultsOf, rowsOf } from './support/files.js';

/** The animals of a file, each as `name|category|status`. */
async function petsOf(content: string | Uint8Array, settings?: ReadSettings): Promise<string[]> {
  const rows = await rowsOf(content, settings);
  return rows.map((row) => {
    if ('faults' in row) return `line ${row.line}: ${row.faults.map(({ code }) => code).join()}`;
    const { name, categoryId, status } = row.pet;
    return [name, categoryId, ...(status ? [status] : [])].join('|');
  });
}

describe('a row of a spreadsheet', () => {
  it.for<[string, string, string[]]>([
    [
      'Excel leaves out empty cells',
      'name,categoryId,status\nRex,7\nBella,8,sold\nMax,9,\n',
      ['Rex|7', 'Bella|8|sold', 'Max|9'],
    ],
    ['Numbers adds empty columns', 'name,categoryId,,\nRex,7,,\nBella,8,,\n', ['Rex|7', 'Bella|8']],
    ['LibreOffice adds them to rows only', 'name;categoryId\nRex;7;;;\nBella;8\n', ['Rex|7', 'Bella|8']],
    ['a header with blank names at its end', 'name,categoryId, ,\u00A0\nRex,7\nBella,8, ,\n', ['Rex|7', 'Bella|8']],
    ['a required cell is missing', 'name,categoryId,status\nRex\nBella,8\n', ['line 2: required', 'Bella|8']],
    ['a cell has no column', 'name,categoryId\nRex,7,,vaccinated\nBella,8\n', ['line 2: cellCount', 'Bella|8']],
    ['rows without any cell', 'name,categoryId\n,,,\nRex,7\n \t\n,\n', ['Rex|7']],
    ['quoted cells in the header, one with a line break', '"name","category\nId"\nRex,7\n', ['Rex|7']],
  ])('%s', async ([, content, pets]) => {
    expect(await petsOf(content)).toEqual(pets);
  });

  it('without a header has as many columns as a person has chosen', async () => {
    const columns = ['name', 'categoryId', 'status'] as const;
    expect(await petsOf('Rex,7\nBella,8,sold\nMax,9,,,\n', { columns, hasHeader: false })).toEqual([
      'Rex|7',
      'Bella|8|sold',
      'Max|9',
    ]);
  });
});

describe('the delimiter', () => {
  it.for<[string, string, string]>([
    ['sep=;', 'sep=;\nname;categoryId\n"a,b";7\n', 'a,b|7'],
    ['sep=;; with a cell for each column', 'sep=;;;\r\nname;categoryId\r\na,b;7\r\n', 'a,b|7'],
    ['sep=, in quotes', '"sep=,"\r\nname,categoryId\r\na;b,7\r\n', 'a;b|7'],
    ['SEP=| and a byte order mark', '\uFEFFSEP=|\nname|categoryId\na,b|7\n', 'a,b|7'],
    ['sep=| with a cell for each column', 'sep=|||\nname|categoryId\na,b|7\n', 'a,b|7'],
    ['sep= with a tab', 'sep=\t\nname\tcategoryId\na,b\t7\n', 'a,b|7'],
    ['sep=: which no file would be guessed to have', 'sep=:\nname:categoryId\na,b:7\n', 'a,b|7'],
  ])('is named by the first line %s', async ([, content, pet]) => {
    const [row, ...others] = await petsOf(content);
    expect([row, others]).toEqual([pet, []]);
  });

  it.for<[string, string, string[]]>([
    [
      'commas in names',
      'name;categoryId\nRex, big, old;7\nMax, small, young;8\n',
      ['Rex, big, old|7', 'Max, small, young|8'],
    ],
    ['commas in all names but one', 'name;categoryId\nRex, big;7\nMax;8\n', ['Rex, big|7', 'Max|8']],
    ['semicolons in names', 'name,categoryId,status\nRex; big,7\nMax; old,8\n', ['Rex; big|7', 'Max; old|8']],
    ['commas and tabs', 'name\tcategoryId\nRex, Max, Milo\t7\n', ['Rex, Max, Milo|7']],
    ['vertical bars', 'name|categoryId|status\nRex, old|7|sold\n', ['Rex, old|7|sold']],
  ])('separates the known columns: %s', async ([, content, pets]) => {
    expect(await petsOf(content)).toEqual(pets);
  });

  it.for<[string, string, string[]]>([
    ['a header with more commas', 'Name, Rasse, Farbe;Kategorie\nRex;7\nBella;8\n', ['Rex|7', 'Bella|8']],
    [
      'decimal commas, and empty cells left out',
      'Tier;Art;Preis;Ort\nRex;7;12,50\nBella;8;9,99;A\nMax;9;8,00\nTom;9;7,50;B\n',
      ['Rex|7', 'Bella|8', 'Max|9', 'Tom|9'],
    ],
    ['decimal commas', 'Tier;Preis, 7 % und 19 %, in Euro\nRex;7\nBella;8\n', ['Rex|7', 'Bella|8']],
    ['a header with more semicolons', 'Nom (nom; surnom; autre),Catégorie\nRex,7\nBella,8\n', ['Rex|7', 'Bella|8']],
    ['quoted delimiters', '"a;b;c;d",Kind\nRex,7\n"x;y",8\n', ['Rex|7', 'x;y|8']],
  ])('gives all rows the same number of cells: %s', async ([, content, pets]) => {
    expect(await petsOf(content, { columns: ['name', 'categoryId', undefined, undefined] })).toEqual(pets);
  });

  it('gives all rows below a title the same number of cells', async () => {
    const table = 'Preise, Stand 2026\nTier;Art;Preis\nRex;7;12,50\nBella;8;9,99\n';
    const settings = { columns: ['name', 'categoryId', undefined], titleRows: 1 } as const;
    expect(await petsOf(table, settings)).toEqual(['Rex|7', 'Bella|8']);
  });
});

describe('pasted cells', () => {
  it.for<[string, string, string]>([
    ['quotes around a word', '"Rex"', '"Rex"'],
    ['a quote that is not closed', '"Rex', '"Rex'],
    ['a quote at the end', 'Fish 2"', 'Fish 2"'],
    ['quotes in the middle', 'Rex "the dog" Miller', 'Rex "the dog" Miller'],
    ['doubled quotes', '""Rex""', '""Rex""'],
    ['commas and semicolons', '"Rex", big; old', '"Rex", big; old'],
    ['a line break, as a space', '"Rex\n""the dog"""', 'Rex "the dog"'],
    ['a tab, as a space', '"Rex\tMiller"', 'Rex Miller'],
  ])('keep %s', async ([, cell, name]) => {
    expect(await petsOf(`name\tcategoryId\r\n${cell}\t7\r\nMax\t8\r\n`, { isPasted: true })).toEqual([
      `${name}|7`,
      'Max|8',
    ]);
  });

  it('are separated by tabs, also if other delimiters are more frequent', async () => {
    const table = 'Name, Vorname; Rasse\tKind, Art; Gruppe\nRex, A; B\t7\nBella, C; D\t8\n';
    const columns = ['name', 'categoryId'] as const;
    expect(await petsOf(table, { columns, isPasted: true })).toEqual(['Rex, A; B|7', 'Bella, C; D|8']);
  });
});

describe('the name of a category', () => {
  const categories = [
    { id: '7', name: 'Petits animaux' },
    { id: '8', name: 'Ka\u0308tzchen' },
    { id: '9', name: '猫　と　犬' },
  ];

  it.for([
    ['Petits\u00A0animaux', '7'],
    ['Petits\u202Fanimaux', '7'],
    ['  Petits \u2009 animaux ', '7'],
    ['K\u00E4tzchen', '8'],
    ['猫 と 犬', '9'],
  ])('may have other spaces and another normal form: %j', async ([name, id]) => {
    expect(await petsOf(`name,categoryId\nRex,${name}\n`, { categories })).toEqual([`Rex|${id}`]);
    expect(await petsOf(`name,categoryId\nRex,${name}\n`, { categories, hasLooseNames: true })).toEqual([`Rex|${id}`]);
  });

  it.each(['petits animaux', 'Rabbits'])('is another one: %s', async (name) => {
    expect(await petsOf(`name,categoryId\nRex,${name}\n`, { categories })).toEqual(['line 2: unknownCategory']);
  });
});

describe('the number of a category', () => {
  it.for([
    '1E+05',
    '9.007E+15',
    '1,23E+11',
    '9,22337E+18',
    '-4E+12',
    '1E+6',
    '1e+05',
    '2.5E-07',
    '9.007E15',
    '1,23457E17',
  ])('has lost its digits in the number format of a spreadsheet: %s', async (cell) => {
    const file = `name;categoryId\nRex;${cell}\n`;
    expect(await faultsOf(file)).toEqual([`2: categoryId numberFormat ${cell}`]);
    expect(await faultsOf(file, { categories: [{ id: '7', name: 'Dogs' }] })).toHaveLength(1);
  });

  it.for([
    ['1e2', '100'],
    ['1E3', '1000'],
    ['1e+2', '100'],
    ['1.5e1', '15'],
    ['-2e0', '-2'],
    ['9223372036854775807e0', '9223372036854775807'],
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['7.0', '7'],
    ['7,00', '7'],
    ['-7.0', '-7'],
  ])('may have each form that the service accepts: %s', async ([cell, id]) => {
    expect(await petsOf(`name;categoryId\nRex;${cell}\n`)).toEqual([`Rex|${id}`]);
  });

  it.for([
    ['1.5e0', 'fraction'],
    ['7.5', 'fraction'],
    ['7,5', 'fraction'],
    ['1.000', 'fraction'],
    ['1.234.567', 'fraction'],
    ['1,234,567', 'fraction'],
    ['1 234', 'fraction'],
    ['1\u202F234\u00A0567', 'fraction'],
    ["1'234", 'fraction'],
    ['1,23,456', 'notNumber'],
    ['12 34', 'notNumber'],
    ['1e30', 'outOfRange'],
    ['9'.repeat(50), 'outOfRange'],
    ['1e', 'notNumber'],
    ['abc', 'notNumber'],
  ])('is checked in these forms too: %s', async ([cell, code]) => {
    expect(await petsOf(`name;categoryId\nRex;${cell}\n`)).toEqual([`line 2: ${code}`]);
  });
});

describe('files put together', () => {
  it.for<[string, string, string[]]>([
    ['a byte order mark in the middle', '\uFEFFname,categoryId\nRex,7\n\uFEFFBella,8\n', ['Rex|7', 'Bella|8']],
    ['one before a quote', 'name,categoryId\nRex,7\n\uFEFF"Bella",8\n', ['Rex|7', 'Bella|8']],
    ['one in quotes', 'name,categoryId\n"\uFEFFa\n\uFEFFb",7\n', ['a b|7']],
  ])('may have %s', async ([, content, pets]) => {
    expect(await petsOf(content)).toEqual(pets);
  });
});

describe('line ends', () => {
  it.for<[string, string, string[]]>([
    ['CR, as "CSV (Macintosh)" of Excel', 'name,categoryId\rRex,7\rBella,8\r', ['Rex|7', 'Bella|8']],
    ['CR without one at the end', 'name;categoryId\rRex;7', ['Rex|7']],
    ['CR, and LF in cells, as Excel for Mac', 'name,categoryId\r"a\nb",7\rBella,8\r', ['a b|7', 'Bella|8']],
    ['LF, and CR in cells', 'name,categoryId\n"a\rb\rc",7\nBella,8\n', ['a b c|7', 'Bella|8']],
    ['CRLF, and CR in cells', 'name,categoryId\r\n"a\rb\rc\rd",7\r\n', ['a b c d|7']],
    ['CR, and one in a cell', 'name,categoryId\r"a\rb",7\rBella,8\r', ['a b|7', 'Bella|8']],
  ])('may be %s', async ([, content, pets]) => {
    expect(await petsOf(content)).toEqual(pets);
    expect(await petsOf(content, { encoding: 'utf-8' })).toEqual(pets);
  });
});
