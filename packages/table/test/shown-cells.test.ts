import { describe, expect, it } from 'vitest';
import { readTable } from '../src/read-table.js';
import type { ReadOptions } from '../src/table.js';
import { rowXml, workbookOf } from './support/workbook.js';
import { readFixture, rowsOf, textsOf } from './support/read-workbook.js';

describe('a number with a format', () => {
  /** The cell of a number with the format of `numFmtId`. The custom one, 164, is `format`. */
  const textOf = async (number: string, numFmtId: number, format = 'General') => {
    const parts = {
      'xl/styles.xml':
        `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${format}"/></numFmts>` +
        `<cellXfs><xf numFmtId="0"/><xf numFmtId="${numFmtId}"/></cellXfs></styleSheet>`,
    };
    const [row] = await rowsOf(`<row r="1"><c r="A1" s="1"><v>${number}</v></c></row>`, parts);
    return row?.slice(3);
  };

  it.for([
    ['7', 'General', '7'],
    ['0.5', 'GENERAL', '0.5'],
    ['-7', '@', '-7'],
    ['7', '0', '7'],
    ['7', '0000', '0007'],
    ['12345', '0000', '12345'],
    ['0', '000', '000'],
  ])('is shown as it is, or with zeros before it: %s as %s', async ([number = '', format = '', text]) => {
    expect(await textOf(number, 164, format)).toBe(text);
  });

  it.for([
    ['0.5', '0%'],
    ['7', '0.00'],
    ['1000', '#,##0'],
    ['7', '&quot;C&quot;0'],
    ['7', 'General&quot; kg&quot;'],
    ['7.5', '0000'],
    ['-7', '0000'],
  ])('has a fault if the spreadsheet may show another text: %s as %s', async ([number = '', format = '']) => {
    expect(await textOf(number, 164, format)).toBe(`${number} (formattedNumber)`);
  });

  it('may have a format that Excel knows by its number', async () => {
    for (const id of [0, 1, 49, 165]) expect({ id, text: await textOf('7', id) }).toEqual({ id, text: '7' });
    expect(await textOf('7', 10)).toBe('7 (formattedNumber)');
  });
});

describe('hidden rows', () => {
  const hidden = (row: string, attributes = 'hidden="1"') => row.replace('<row ', `<row ${attributes} `);
  const rows = [
    rowXml(1, 'Name', 'Category'),
    hidden(rowXml(2, 'Rex', 7)),
    rowXml(3, 'Bella', 7),
    hidden(rowXml(4, 'Max', 7), 'hidden="true" outlineLevel="1"'),
    hidden(rowXml(5, null)),
    hidden(rowXml(6, 'Mia', 7), 'ht="0" customHeight="1"'),
    hidden(rowXml(7, 'Leo', 7), 'hidden="0" ht="30" customHeight="1"'),
  ].join('');
  const read = (xml: string, options: ReadOptions = {}) =>
    readTable(workbookOf([{ name: 'Animals', rows: xml }]), options);

  it('are left out and counted, and the others keep their numbers', async () => {
    const table = await read(rows);
    expect(textsOf(table)).toEqual(['1: Name|Category', '3: Bella|7', '7: Leo|7']);
    expect(table.hiddenRows).toBe(3);
  });

  it.for(['libreoffice.xlsx', 'exceljs.xlsx'])(
    'are left out if another program hides them by a filter: %s',
    async (name) => {
      const table = await readFixture(name, false);
      expect(table.rows.slice(2, 4)).toMatchObject([{ number: 4 }, { number: 6 }]);
      expect(table.hiddenRows).toBe(1);
    },
  );

  it('are read by choice', async () => {
    const table = await read(rows, { includeHidden: true });
    expect(table.rows.map(({ number }) => number)).toEqual([1, 2, 3, 4, 6, 7]);
    expect(table.hiddenRows).toBe(0);
  });

  it('give their merged cells to the rows that are shown', async () => {
    const merge = '</sheetData><mergeCells><mergeCell ref="B1:B2"/></mergeCells><sheetData>';
    const table = await read(`${hidden(rowXml(1, 'Rex', 'Rabbits'))}${rowXml(2, 'Bella', null)}${merge}`);
    expect(textsOf(table)).toEqual(['2: Bella|Rabbits']);
  });

  it('are the reason if no row is left', async () => {
    const message = 'All rows are hidden. Show them in your spreadsheet program, and save the file.';
    await expect(read(hidden(rowXml(1, 'Rex', 7)))).rejects.toThrow(message);
  });
});
