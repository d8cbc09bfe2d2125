import type { TableRow } from '@petstore/table/table.js';
import { describe, expect, inject, it } from 'vitest';
import { checkRows, type RowSettings } from '../src/check-rows.js';
import { faultText } from '../src/faults.js';
import { tableOf } from './support/tables.js';

const settings: RowSettings = {
  titleRows: 0,
  hasHeader: true,
  columns: ['name', 'categoryId', 'status'],
  categories: [],
};
const named = (...names: string[]) => names.map((name, index) => ({ id: String(index + 7), name }));

/** The rows as `row name|category|status` or `row field code value, …`. */
function check(rows: string | readonly TableRow[], change: Partial<RowSettings> = {}): string[] {
  const table = typeof rows === 'string' ? tableOf(rows) : { format: 'excel' as const, rows };
  const join = (parts: readonly unknown[], separator: string) =>
    parts.filter((part) => part !== undefined).join(separator);
  return [...checkRows(table, { ...settings, ...change })].map((row) => {
    if (!('faults' in row)) return `${row.row} ${join([row.name, row.categoryId, row.status], '|')}`;
    return `${row.row} ${row.faults.map(({ field, code, value }) => join([field, code, value], ' ')).join(', ')}`;
  });
}

/** The category of a cell, or the code of its fault. */
function categoryOf(cell: string, change: Partial<RowSettings> = {}): string | undefined {
  const [row] = checkRows(
    { format: 'csv', rows: [{ number: 1, cells: ['Rex', cell] }] },
    { ...settings, hasHeader: false, ...change },
  );
  return row && ('faults' in row ? row.faults[0]?.code : String(row.categoryId));
}

describe('a row', () => {
  it.for<[string, string, string[]]>([
    ['below a title and names', 'Zoo\nn;c;s\nRex;7;sold\n\nBella;8', ['3 Rex|7|sold', '5 Bella|8']],
    ['with a status in any case, and spaces', 'n;c;s\nRex; 7 ; SOLD ', ['2 Rex|7|sold']],
    ['without a required cell', 'n;c;s\nRex\n;7', ['2 categoryId required', '3 name required']],
    ['with a cell that has no column', 'n;c;s\nRex, the;big;7;sold', ['2 cellCount 4']],
    [
      'with several faults',
      `n;c;s\n ;x;lost\n${'a'.repeat(201)};9223372036854775808`,
      [
        '2 name required, categoryId notNumber x, status unknownStatus lost',
        `3 name tooLong ${'a'.repeat(80)}, categoryId outOfRange 9223372036854775808`,
      ],
    ],
  ])('is checked: %s', ([title, text, rows]) => {
    expect(check(text, { titleRows: title.includes('title') ? 1 : 0 })).toEqual(rows);
  });

  it.for([
    ['\u00A0Rex\u200B', 'Rex'],
    ['Skip \t\u00A0 Me\uFEFF\u3000', 'Skip Me'],
    ['👨\u200D👧 می\u200Cخواهم ❤\uFE0F ', '👨\u200D👧 می\u200Cخواهم ❤\uFE0F'],
    ["'=1+1", "'=1+1"],
  ])('has the name %j as %j, without outer white space and invisible characters', ([cell, name]) => {
    const rows = [{ number: 1, cells: [cell ?? '', '\u200B7\u00A0', '\u200B'] }];
    expect(check(rows, { hasHeader: false })).toEqual([`1 ${name}|7`]);
  });

  it('has the faults of the cells that are used, and of a line that is no object', () => {
    const rows: TableRow[] = [
      { number: 1, cells: ['Rex', '7', '2026-11-25'], cellFaults: { 2: 'date' } },
      { number: 2, cells: ['TRUE', '7'], cellFaults: { 0: 'boolean' } },
      { number: 3, cells: [], fault: { code: 'unknownField', value: 'color' } },
    ];
    const columns = ['name', 'categoryId', undefined] as const;
    expect(check(rows, { hasHeader: false, columns })).toEqual([
      '1 Rex|7',
      '2 name boolean TRUE',
      '3 unknownField color',
    ]);
  });
});

describe('a number whose format shows another text', () => {
  it('is a fault only in the name', () => {
    const cellFaults = { 0: 'formattedNumber', 1: 'formattedNumber' } as const;
    const rows: TableRow[] = [
      { number: 1, cells: ['0.5', '7'], cellFaults },
      { number: 2, cells: ['Rex', '7'], cellFaults: { 1: 'formattedNumber' } },
      { number: 3, cells: ['0007', '0007'] },
    ];
    expect(check(rows, { hasHeader: false })).toEqual(['1 name formattedNumber 0.5', '2 Rex|7', '3 0007|7']);
  });
});

describe('answers of a person', () => {
  it('replace values in their column, whatever their case, outer spaces and faults', () => {
    const rows: TableRow[] = [
      { number: 1, cells: ['Rex', 'Nager', 'weg'] },
      { number: 2, cells: ['nager', ' NAGER ', 'TRUE'], cellFaults: { 2: 'boolean' } },
      { number: 3, cells: ['Max', '7.5', 'constructor'] },
    ];
    const replacements = [
      { field: 'categoryId', value: 'Nager', by: '22' },
      { field: 'categoryId', value: '7.5', by: '8' },
      { field: 'status', value: 'WEG ', by: 'sold' },
      { field: 'status', value: 'true', by: 'pending' },
    ] as const;
    // An answer is known to be meant.
    expect(check(rows, { hasHeader: false, replacements, knownCategories: ['7'] })).toEqual([
      '1 Rex|22|sold',
      '2 nager|22|pending',
      '3 status unknownStatus constructor',
    ]);
  });

  it('replace the cells of a row, or empty it', () => {
    const rows: TableRow[] = [
      { number: 1, cells: ['Rex', 'x'] },
      { number: 2, cells: [], fault: { code: 'notJson' } },
      { number: 3, cells: ['Max', '7'] },
    ];
    const corrections = { 1: ['Rex', 'y'], 2: ['Bella', '7', ''], 3: ['', ' '] };
    expect(check(rows, { hasHeader: false, corrections })).toEqual(['1 categoryId notNumber y', '2 Bella|7']);
  });
});

describe('the name of a category', () => {
  it.for([
    ['Petits\u00A0animaux', '7'],
    ['  petits \u2009 ANIMAUX\u200B ', '7'],
    ['K\u00E4tzchen', '8'],
    ['katzchen', '8'],
    ['DOGS', 'ambiguousCategory'],
    ['dogs', '10'],
    ['category 7', '11'],
    ['Fish', 'ambiguousCategory'],
    ['Petits', 'unknownCategory'],
  ])('is compared loosely, but an exact one is preferred: %j is %s', ([cell = '', result]) => {
    const names = ['Petits animaux', 'Ka\u0308tzchen', 'Dogs', 'dogs', 'Category 7', 'Fish', 'Fish'];
    expect(categoryOf(cell, { categories: named(...names) })).toBe(result);
  });
});

describe('the name of a category that is a number', () => {
  const categories = [
    { id: '12', name: '2024' },
    { id: '13', name: '1.5' },
    { id: '14', name: '14' },
    { id: '15', name: '13' },
    { id: '16', name: null },
    { id: '17', name: '16' },
    { id: '18', name: 'Category 2024' },
    { id: '19', name: '007' },
    { id: '20', name: '5' },
    { id: '21', name: '5' },
  ];

  it.for([
    ['2024', '12'],
    ['1.5', '13'],
    ['14', '14'],
    ['007', '19'],
    ['7', '7'],
    ['02024', '2024'],
    ['2024.0', '2024'],
    ['5', 'ambiguousCategory'],
    ['13', 'numberOrName'],
    ['16', 'numberOrName'],
    ['category 13', '13'],
    ['Category 15', '15'],
    ['category 2024', '18'],
  ])('is meant by exactly this text, unless a category has the number: %s is %s', ([cell = '', result]) => {
    expect(categoryOf(cell, { categories })).toBe(result);
  });

  it('needs an answer if a category has the number, and the answer is a number', () => {
    const rows = [{ number: 1, cells: ['Rex', '13'] }];
    const [row] = checkRows({ format: 'csv', rows }, { ...settings, hasHeader: false, categories });
    expect(row && 'faults' in row && faultText(row.faults, { field: String })).toBe(
      'The store has a category 13, and category 15 has the name “13”. Write “category 13” or “category 15”.',
    );
    for (const by of ['13', '15']) {
      const replacements = [{ field: 'categoryId', value: '13', by }] as const;
      expect(categoryOf('13', { categories, replacements })).toBe(by);
    }
  });
});

describe('the number of a category', () => {
  it.for<[string, string[]]>([
    ['9223372036854775807', ['9223372036854775807', '9223372036854775807e0']],
    ['-9223372036854775808', ['-9223372036854775808']],
    ['7', ['7.0', '+7,00', 'Category 7', '70e-1']],
    ['100', ['1e2', '1.0e2']],
    ['fraction', ['1.5e0', '7.5', '7,5', '1.000', '1.234.567', '1 234', '1\u202F234\u00A0567', "1'234"]],
    ['numberFormat', ['1E+05', '9.007E+15', '1,23E+11', '1e+05', '2.5E-07', '1,23457E17']],
    ['outOfRange', ['1e30', '1e999', '9'.repeat(50), '9223372036854775808']],
    ['notNumber', ['1,23,456', '12 34', '1e', 'abc', '0x7']],
  ])('is read exactly: %s from %j', ([result, cells]) => {
    for (const cell of cells) expect({ cell, is: categoryOf(cell) }).toEqual({ cell, is: result });
  });

  it.for([
    ['7', '7'],
    ['12', 'newCategory'],
    ['9'.repeat(20), 'outOfRange'],
    ['Dogs', '7'],
  ])('has to be one that is known, if some are: %s is %s', ([cell = '', result]) => {
    expect(categoryOf(cell, { categories: named('Dogs'), knownCategories: ['7'] })).toBe(result);
  });
});

describe('the rules', () => {
  const names = ['Rex', '', ' ', '\u0085', 'a\0b', '\ud800', '🐕'.repeat(200), '🐕'.repeat(201)];
  const bounds = ['-9223372036854775808', '-9223372036854775809', '9223372036854775807', '9223372036854775808'];
  const numbers = [...bounds, '-0', '7.0', '7.5', '1e2', '1e18', '1e19', '1e400', '5e-1'];
  const rows = [...names.map((name) => [name, '7']), ...numbers.map((number) => ['Rex', number])];

  it.for(rows)('are those of the service: %j, %s', async ([name = '', number = '']) => {
    const headers = { authorization: `Bearer ${inject('apiKey')}`, 'content-type': 'application/json' };
    const body = `{"name":${JSON.stringify(name)},"categoryId":${number}}`;
    const { status } = await fetch(`${inject('serviceUrl')}/v1/pets`, { method: 'POST', headers, body });
    const [row] = check([{ number: 1, cells: [name, number] }], { hasHeader: false });
    expect(row?.includes('|') ? 201 : 400).toBe(status);
  });
});
