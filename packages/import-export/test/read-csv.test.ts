import { describe, expect, it } from 'vitest';
import { faultsOf, rowsOf } from './support/files.js';

const rex = { name: 'Rex', categoryId: 7n };

describe('a CSV file', () => {
  it('has columns in any order, and an empty status is an omitted one', async () => {
    expect(await rowsOf('categoryId,status,name\n7,,Rex\n8,sold,Bella\n')).toEqual([
      { line: 2, pet: rex },
      { line: 3, pet: { name: 'Bella', categoryId: 8n, status: 'sold' } },
    ]);
  });

  it('ignores the id, and the case, spaces, dashes and underscores of column names', async () => {
    expect(await rowsOf('ID, Name ,Category-Id\n12,Rex,7')).toEqual([{ line: 2, pet: rex }]);
    expect(await rowsOf('id,name,category_id\nnone,Rex,7')).toEqual([{ line: 2, pet: rex }]);
  });

  it.for([',', ';', '\t'])('may use %j as delimiter, CRLF or LF, and a byte order mark', async (delimiter) => {
    const lines = [`\uFEFFname${delimiter}categoryId`, `Rex${delimiter}7`, `"R${delimiter}""x"""${delimiter} 8 `];
    for (const end of ['\r\n', '\n']) {
      expect(await rowsOf(lines.join(end) + end)).toEqual([
        { line: 2, pet: rex },
        { line: 3, pet: { name: `R${delimiter === '\t' ? ' ' : delimiter}"x"`, categoryId: 8n } },
      ]);
    }
  });

  it('has names with line breaks, which become spaces, and lines that count all of them', async () => {
    expect(await rowsOf('name,categoryId\r\n"a\r\nb\nc",7\r\nRex,7\r\n')).toEqual([
      { line: 2, pet: { name: 'a b c', categoryId: 7n } },
      { line: 5, pet: rex },
    ]);
  });

  it.for([
    ['\u00A0Rex\u200B', 'Rex'],
    ['\uFEFF\u3164 Rex \u2800\u00AD\u0085', 'Rex'],
    ['Skip \t\u00A0 Me\uFEFF\u3000', 'Skip Me'],
    ['Z\u200Be\u00AD\u0007d\u2060 \uFEFFOne', 'Zed One'],
    ['Zed\u3164One\u2800Two', 'Zed One Two'],
    ['👨\u200D👧 می\u200Cخواهم', '👨\u200D👧 می\u200Cخواهم'],
    ['\u202Egnp.exe\u2066', 'gnp.exe'],
    // Parts of an emoji, of a flag, and of a Persian word.
    ['\u200BRex ❤\uFE0F ', 'Rex ❤\uFE0F'],
    [
      '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
      '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
    ],
    ['👩\u200D🚒\u200D', '👩\u200D🚒'],
    ['می\u200Cخواهم\u200C', 'می\u200Cخواهم'],
  ])(
    'has the name %j without outer white space and invisible characters, as %j, as an NDJSON file has',
    async ([text, name]) => {
      expect(await rowsOf(`name,categoryId\n"${text}",7`)).toEqual([{ line: 2, pet: { name, categoryId: 7n } }]);
      expect(await rowsOf(JSON.stringify({ name: text, categoryId: 7 }))).toEqual([
        { line: 1, pet: { name, categoryId: 7n } },
      ]);
    },
  );

  it.for(['\u200B', ' \u3164\u2800 '])('has no name if it is only %j', async (text) => {
    expect(await faultsOf(`name,categoryId\n"${text}",7`)).toEqual(['2: name required']);
    expect(await faultsOf(JSON.stringify({ name: text, categoryId: 7 }))).toEqual(['1: name required']);
  });

  it('may have a category without a name as the admin shows it, unless it is the name of another one', async () => {
    const categories = [{ id: '9', name: 'Category 5' }];
    const file = 'name,categoryId\nRex,Category -5\nRex,category 7\nRex,Category 5';
    const rows = await rowsOf(file, { categories });
    expect(rows.map((row) => 'pet' in row && row.pet.categoryId)).toEqual([-5n, 7n, 9n]);
    expect(await rowsOf('name,categoryId\nRex,Category 7')).toEqual([{ line: 2, pet: rex }]);
  });

  it('may have blank lines, also of delimiters only', async () => {
    expect(await rowsOf('\n\nname,categoryId\n\n,\nRex,7\n  \n')).toEqual([{ line: 6, pet: rex }]);
  });

  it('is the same in chunks of any size, with characters of several bytes', async () => {
    const name = 'Zoë 🐕';
    for (const chunkBytes of [1, 2, 3, 1000]) {
      expect(await rowsOf(`name,categoryId\n${name},7`, { chunkBytes })).toEqual([{ line: 2, pet: { ...rex, name } }]);
    }
  });

  it('names each invalid field of a line, with its value', async () => {
    expect(
      await faultsOf(`name,categoryId,status\n,x,lost\n${'a'.repeat(201)},9223372036854775808,\n   ,1.5,`),
    ).toEqual([
      '2: name required',
      '2: categoryId notNumber x',
      '2: status unknownStatus lost',
      `3: name tooLong ${'a'.repeat(80)}`,
      '3: categoryId outOfRange 9223372036854775808',
      '4: name required',
      '4: categoryId fraction 1.5',
    ]);
  });
});

describe('the first line of a CSV file', () => {
  it.for([
    ['name,status\nRex,sold', '1: categoryId missingColumn'],
    ['name,categoryId,Name\nRex,7,Rex', '1: name repeatedColumn'],
    ['name,categoryId,color\nRex,7,red', '1: unknownColumns color'],
    ['Rex,7\nBella,8', '1: unknownColumns Rex'],
    ['"name,categoryId\nRex,7\n', '1: openQuote'],
    ['sep=;\n', '1: emptyFile'],
    ['', '1: emptyFile'],
    ['\n \n', '1: emptyFile'],
  ])('is rejected alone: %j', async ([content = '', fault]) => {
    expect(await faultsOf(content)).toEqual([fault]);
  });
});

describe('the cells of a CSV file', () => {
  it('may have a status in any case, and spaces around the status and the category', async () => {
    expect(await rowsOf('name,categoryId,status\nRex, 7 , SOLD \nBella,8,Pending')).toEqual([
      { line: 2, pet: { ...rex, status: 'sold' } },
      { line: 3, pet: { name: 'Bella', categoryId: 8n, status: 'pending' } },
    ]);
  });

  it('may have the exact name of one category instead of its number', async () => {
    const categories = [
      { id: '7', name: 'Dogs' },
      { id: '8', name: 'Fish' },
      { id: '9', name: 'Fish' },
    ];
    const file = 'name,categoryId\nRex, Dogs \nBella,8\nMax,dogs\nMilo,Fish\n';
    expect(await rowsOf(file, { categories })).toEqual([
      { line: 2, pet: rex },
      { line: 3, pet: { name: 'Bella', categoryId: 8n } },
      { line: 4, faults: [{ code: 'unknownCategory', field: 'categoryId', value: 'dogs' }], cells: ['Max', 'dogs'] },
      { line: 5, faults: [{ code: 'ambiguousCategory', field: 'categoryId', value: 'Fish' }], cells: ['Milo', 'Fish'] },
    ]);
  });

  it('may have the name of a category in any case and without accents, if a person checks the file', async () => {
    const settings = { categories: [{ id: '7', name: 'Rongeurs élevés' }], hasLooseNames: true };
    expect(await faultsOf('name,categoryId\nRex,RONGEURS eleves\n', settings)).toEqual([]);
    expect(await faultsOf('name,categoryId\nRex,rongeurs\n', settings)).toHaveLength(1);
  });

  it('are replaced by corrections, also those of a line that could not be read', async () => {
    const corrections = { 2: ['Rex', '7'], 3: ['Bella', 'x'], 4: ['Max', '9'] };
    expect(await rowsOf('name,categoryId\nRex,seven\nBella,8\n"Max,9\n', { corrections })).toEqual([
      { line: 2, pet: rex },
      { line: 3, faults: [{ code: 'notNumber', field: 'categoryId', value: 'x' }], cells: ['Bella', 'x'] },
      { line: 4, pet: { name: 'Max', categoryId: 9n } },
    ]);
  });

  it('begin on the first line of a file without a header', async () => {
    const columns = ['categoryId', 'name'] as const;
    expect(await rowsOf('7,Rex\n8,Bella\n', { columns, hasHeader: false })).toEqual([
      { line: 1, pet: rex },
      { line: 2, pet: { name: 'Bella', categoryId: 8n } },
    ]);
  });
});
