import { describe, expect, it } from 'vitest';
import { readTable } from '../src/read-table.js';
import type { ReadOptions } from '../src/table.js';
import { isHeader, readFixture, rowsOf, textsOf } from './support/read-workbook.js';
import { type Parts, rowXml, type Sheet, workbookOf } from './support/workbook.js';

describe('a workbook of another program', () => {
  it('is read: LibreOffice', async () => {
    expect(textsOf(await readFixture('libreoffice.xlsx'))).toEqual([
      '1: Stock of the store',
      '3: Name|Category|Status|Born',
      '4: Rex|7|sold|2026-03-05 (date)',
      '5: Zoë & 猫 🐕|8',
      '6: Two\nlines|#N/A (formulaError)',
      '7: Rex 2|9007199254740990 (longNumber)',
      "8: '=1+1|1|0.5",
    ]);
  });

  it('is read: exceljs', async () => {
    const table = await readFixture('exceljs.xlsx');
    expect(table).toMatchObject({ sheet: 'Animals', sheets: ['Prices', 'Animals'] });
    expect(textsOf(table)).toEqual([
      '1: Stock, spring 2026',
      '3: Name|Category|Status|Born',
      '4: Rex|7|sold|2026-03-05 (date)',
      '5:  Zoë "x" |9007199254740990 (longNumber)||2026-03-05 14:30 (date)',
      '6: Bella|8',
      '7: Max|=B4+1 (noResult)',
      '8: #N/A (formulaError)|7',
      '9: TRUE (boolean)|0.3',
      '10: Link|100000000000000000000 (longNumber)',
      '11: a\nb\rc|7',
    ]);
  });

  it('is read: openpyxl, which writes references of characters, and dates that count from 1904', async () => {
    expect(textsOf(await readFixture('openpyxl.xlsx'))).toEqual([
      '1: name|categoryId|status|born',
      '2: Zoë 🐕 猫|7|sold|2026-03-05 (date)',
      '3: =A2 (noResult)|=B2+1 (noResult)||2026-03-05 14:30 (date)',
      '4: 007|9007199254740990 (longNumber)|TRUE (boolean)|08:30 (date)',
      '5: a\nb|7|#N/A (formulaError)|0.0000001',
    ]);
    expect(textsOf(await readFixture('dates-1904.xlsx'))).toEqual(['1: name|born', '2: Rex|2026-03-05 (date)']);
  });

  it('is read: texts in the sheet and no styles, as Google Sheets and scripts write it', async () => {
    expect(await rowsOf(rowXml(1, 'name', 'categoryId') + rowXml(2, 'Zoë &amp; &#x1F415;', 7))).toEqual([
      '1: name|categoryId',
      '2: Zoë & 🐕|7',
    ]);
  });

  it('is read: prefixes of names and an absolute path, as the Open XML SDK writes them', async () => {
    const rows =
      '<x:row r="2"><x:c r="A2" t="str"><x:v>Rex</x:v></x:c><x:c r="B2" t="e"><x:v>#REF!</x:v></x:c></x:row>';
    const relation = 'http://purl.oclc.org/ooxml/officeDocument/relationships';
    const parts = {
      'xl/workbook.xml': `<x:workbook xmlns:r="${relation}"><x:sheets><x:sheet name="A" r:id="r1"/></x:sheets></x:workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r1" Type="${relation}/worksheet" Target="/xl/worksheets/a.xml"/></Relationships>`,
      'xl/worksheets/a.xml': `<x:worksheet><x:sheetData>${rows}</x:sheetData></x:worksheet>`,
    };
    expect(textsOf(await readTable(workbookOf([], parts)))).toEqual(['2: Rex|#REF! (formulaError)']);
  });
});

describe('a cell', () => {
  it.for([
    ['<v>7</v>', '7'],
    ['<v>-0.5</v>', '-0.5'],
    ['<v>0.30000000000000004</v>', '0.3'],
    ['<v>999999999999999</v>', '999999999999999'],
    ['<v>1E+3</v>', '1000'],
    ['<v>1000000000000000</v>', '1000000000000000 (longNumber)'],
    ['<v>1.2345678901234568E+17</v>', '123456789012346000 (longNumber)'],
    ['<f>A2&amp;"x"</f><v></v>', '=A2&"x" (noResult)'],
    ['<f>1+1</f><v>2</v>', '2'],
  ])('has a number: %s', async ([content, text]) => {
    expect(await rowsOf(`<row r="1"><c r="A1">${content}</c></row>`)).toEqual([`1: ${text}`]);
  });

  it.for([
    ['t="inlineStr"', '<is><t xml:space="preserve"> 007 </t></is>', ' 007 '],
    ['t="inlineStr"', '<is><r><t>Re</t></r><r><t>x</t></r></is>', 'Rex'],
    ['t="s"', '<v>2</v>', '東京'],
    ['t="inlineStr"', '<is><t>a_x000D_\nb _x005F_x0041_</t></is>', 'a\r\nb _x0041_'],
    ['t="s"', '<v>1</v>', 'Bella'],
    ['t="str"', '<f>A2</f><v>1E5</v>', '1E5'],
    ['t="str"', '<f>""</f><v></v>', ''],
    ['t="e" s="1"', '<v>#DIV/0!</v>', '#DIV/0! (formulaError)'],
    ['s="1"', '<v>1E+20</v>', 'date (date)'],
    ['s="0"', '<v>46086</v>', '46086'],
  ])('of the type %s has a value: %s', async ([type, content, text]) => {
    const parts = {
      'xl/sharedStrings.xml':
        '<sst><si><t>Rex</t></si><si><r><t>Bel</t></r><r><t>la</t></r></si><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si></sst>',
      'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    };
    expect(await rowsOf(`<row r="1"><c r="A1" ${type}>${content}</c><c r="B1"><v>7</v></c></row>`, parts)).toEqual([
      `1: ${text}|7`,
    ]);
  });
});

describe('the rows of a sheet', () => {
  it('have its numbers, without blank rows and cells that have only a style', async () => {
    const styled = '<row r="5" s="1"><c r="A5" s="1"/></row>';
    const far = '<row r="1048576"><c r="A1048576"><v>8</v></c><c r="XFD1048576"><v>9</v></c></row>';
    expect(await rowsOf(rowXml(2, 'Rex', null, 7) + rowXml(4, ' ') + styled + far)).toEqual([
      '2: Rex||7',
      '1048576: 8',
    ]);
  });

  it('have the value of a merged cell, and its fault, in each of its rows that has other cells', async () => {
    const error = '<c r="C1" t="e"><v>#N/A</v></c></row>';
    const rows = [rowXml(1, 'Rex', 'Rabbits').replace('</row>', error), rowXml(2, 'Bella', null), rowXml(4, 'Max')];
    const merged = ['B1:B3', 'C1:C3'].map((ref) => `<mergeCell ref="${ref}"/>`).join('');
    expect(await rowsOf(`${rows.join('')}</sheetData><mergeCells>${merged}</mergeCells><sheetData>`)).toEqual([
      '1: Rex|Rabbits|#N/A (formulaError)',
      '2: Bella|Rabbits|#N/A (formulaError)',
      '4: Max',
    ]);
  });

  it('are at most 100,000 below the names of the columns', async () => {
    const rows = Array.from({ length: 100_002 }, (_, index) => rowXml(index + 1, 'Rex'));
    expect(await rowsOf(rows.slice(1).join(''))).toHaveLength(100_001);
    await expect(rowsOf(rows.join(''))).rejects.toThrow('more than 100,000 rows. Split it, or save it as CSV.');
  });

  it('have at most 256 MB when they are unpacked, whatever size the file says', async () => {
    const bytes = Buffer.from(workbookOf([{ name: 'Animals', rows: ' '.repeat(2 ** 28) }]));
    expect(bytes.length).toBeLessThan(2 ** 20);
    await expect(readTable(bytes)).rejects.toThrow('The file has more than 256 MB when it is unpacked. Copy the table');
    const lastEntry = bytes.lastIndexOf('PK\u0001\u0002');
    for (const size of [0, 1000]) {
      bytes.writeUInt32LE(size, lastEntry + 24);
      await expect(readTable(bytes)).rejects.toThrow('The file is damaged. ');
    }
  });

  it.for<[string, string, string[]]>([
    ['rows in another order', rowXml(3, 'a') + rowXml(2, 'b'), ['2: b', '3: a']],
    ['no addresses', '<row><c><v>7</v></c><c><v>1</v></c></row><row><c><v>8</v></c></row>', ['1: 7|1', '2: 8']],
  ])('may have %s', async ([, rows, texts]) => {
    expect(await rowsOf(rows)).toEqual(texts);
  });

  it.for<[string, Uint8Array]>([
    ['XML that ends too early', workbookOf([], { 'xl/workbook.xml': '<workbook>' })],
    ['half a file', workbookOf([{ name: 'A', rows: rowXml(1, 'Rex') }]).subarray(0, -40)],
    ['texts in a part with another name', workbookOf([], { 'xl/SharedStrings.xml': '<sst/>' })],
  ])('are not read from a damaged file: %s', async ([, bytes]) => {
    const message = 'The file is damaged. Open it in your spreadsheet program, save it again, and choose the new file.';
    await expect(readTable(bytes)).rejects.toThrow(message);
  });

  it('are refused if empty ones between them fill the memory', async () => {
    const rows = rowXml(1, 'Rex') + '<row r="1048576"><c r="ZZ1048576"><v>7</v></c></row>';
    await expect(rowsOf(rows)).rejects.toThrow('The sheet “Animals” has cells far below');
  });
});

describe('the sheet', () => {
  const sheets: Sheet[] = [
    { name: 'Cover', rows: '<row r="1"><c r="A1" s="0"/></row>' },
    { name: 'Secret', rows: rowXml(1, 'Name'), state: 'hidden' },
    { name: 'Old', rows: rowXml(1, 'Name'), state: 'veryHidden' },
    { name: 'Food &amp; prices', rows: rowXml(1, 'Hay', 3.5) },
    { name: 'Animals', rows: rowXml(1, 'Title') + rowXml(2, 'Name', 'Category') },
  ];
  const names = ['Food & prices', 'Animals'];
  const read = (options: ReadOptions, parts?: Parts) => readTable(workbookOf(sheets, parts), options);

  it('is the first visible one with known names of columns, else the first with cells', async () => {
    expect(await read({ isHeader })).toMatchObject({ sheet: 'Animals', sheets: names });
    expect(await read({})).toMatchObject({ sheet: 'Food & prices', sheets: names });
  });

  it('can be chosen', async () => {
    expect(await read({ isHeader, sheet: 'Food & prices' })).toMatchObject({ sheet: 'Food & prices' });
    const message = 'The file has no sheet “Secret”. Its sheets are: “Food & prices”, “Animals”.';
    await expect(read({ sheet: 'Secret' })).rejects.toThrow(message);
  });

  it('is not a chart', async () => {
    const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const relations = ['worksheet', 'chartsheet', 'x', 'x', 'worksheet'].map(
      (kind, index) => `<Relationship Id="rId${index + 1}" Type="${type}/${kind}" Target="worksheets/${index}.xml"/>`,
    );
    const parts = { 'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>` };
    expect(await read({}, parts)).toMatchObject({ sheet: 'Animals', sheets: ['Animals'] });
  });
});
