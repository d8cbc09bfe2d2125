import { unzipSync, type UnzipFileInfo } from 'fflate';
import type { SheetFilter } from 'hucre';
import { type Cell as ExcelCell, type CellValue, readXlsx, type Sheet } from 'hucre/xlsx';
import { type Cell, type ReadOptions, type Table, TableError, tableLimits, tableRow, type TableRow } from './table.js';

/**
 * Reads a sheet of an Excel workbook (.xlsx).
 * @throws TableError
 */
export async function readExcel(bytes: Uint8Array, options: ReadOptions): Promise<Table> {
  if (unpackedSize(bytes) > tableLimits.unpackedBytes) {
    throw new TableError(`The file has more than 256 MB when it is unpacked. ${newWorkbook}`);
  }
  const read = await readSheets(bytes);
  const sheets = read
    .map((sheet) => ({ sheet: sheet.name, ...toRows(sheet, options) }))
    .filter(({ rows, hiddenRows }) => rows.length + hiddenRows > 0);
  const names = sheets.map(({ sheet }) => sheet);
  const known = sheets.find(({ rows }) => rows.slice(0, 10).some(({ cells }) => options.isHeader?.(cells)));
  const first = known ?? sheets.find(({ rows }) => rows.length > 0) ?? sheets[0];
  const chosen = options.sheet === undefined ? first : sheets.find(({ sheet }) => sheet === options.sheet);
  if (chosen || options.sheet === undefined) return { format: 'excel', rows: [], ...chosen, sheets: names };
  throw new TableError(
    `The file has no sheet “${options.sheet}”. Its sheets are: ${names.map((name) => `“${name}”`).join(', ')}.`,
  );
}

const newWorkbook = 'Copy the table into a new workbook, without pictures, and choose that file.';

function damaged(): TableError {
  const advice = 'Open it in your spreadsheet program, save it again, and choose the new file.';
  return new TableError(`The file is damaged. ${advice}`);
}

/** In bytes. */
function unpackedSize(bytes: Uint8Array): number {
  const entries: UnzipFileInfo[] = [];
  const filter = (entry: UnzipFileInfo) => {
    entries.push(entry);
    return false;
  };
  try {
    unzipSync(bytes, { filter });
  } catch {
    throw damaged();
  }
  if (entries.some(isDoubtful)) throw damaged();
  return entries.reduce((sum, { originalSize }) => sum + originalSize, 0);
}

/**
 * The library unpacks no more of a part than the size that the file says, unless that is 0. It does not find the list of texts
 * that some programs call `SharedStrings.xml`, and would read each text as empty.
 */
function isDoubtful({ name, originalSize }: UnzipFileInfo): boolean {
  return (originalSize === 0 && !name.endsWith('/')) || name.endsWith('/SharedStrings.xml');
}

/** The visible sheets that are no charts. The library makes every row as long as the longest one, up to column ZZ. */
async function readSheets(bytes: Uint8Array, charts: readonly string[] = []): Promise<Sheet[]> {
  try {
    const sheets: SheetFilter = ({ name, hidden, veryHidden }) => !hidden && !veryHidden && !charts.includes(name);
    return (await readXlsx(bytes, { sheets, range: 'A1:ZZ1048576', readStyles: true })).sheets;
  } catch (error) {
    const [, chart] = /missing worksheet file for sheet "(.*)"/.exec(String(error)) ?? [];
    if (chart !== undefined) return readSheets(bytes, [...charts, chart]);
    const [, large] = /Sheet "(.*)" spans .* cells/.exec(String(error)) ?? [];
    if (large === undefined) throw damaged();
    throw new TableError(`The sheet “${large}” has cells far below or far to the right of its table. ${newWorkbook}`);
  }
}

/** A merged cell is shown in all its rows, such as one category of several animals. */
function fillMerged({ rows, cells: details, merges = [] }: Sheet): void {
  for (const { startRow, endRow, startCol } of merges) {
    const value = rows[startRow]?.[startCol] ?? null;
    const detail = details?.get(`${startRow},${startCol}`);
    for (const [index, cells] of rows.slice(startRow + 1, endRow + 1).entries()) {
      if (!cells.some((cell) => cell !== null)) continue;
      cells[startCol] = value;
      if (detail) details?.set(`${startRow + 1 + index},${startCol}`, detail);
    }
  }
}

function toRows(sheet: Sheet, { includeHidden }: ReadOptions): { rows: TableRow[]; hiddenRows: number } {
  fillMerged(sheet);
  const { cells, rowDefs } = sheet;
  const read = sheet.rows.map((values, row) => {
    const found = values.map((value, column) => readValue(value, cells?.get(`${row},${column}`)));
    return tableRow(row + 1, found);
  });
  const filled = read.filter((row) => row.cells.length > 0);
  const isShown = ({ number }: TableRow) => {
    const { hidden = false, height } = rowDefs?.get(number - 1) ?? {};
    return !hidden && height !== 0;
  };
  const rows = includeHidden ? filled : filled.filter(isShown);
  return { rows, hiddenRows: filled.length - rows.length };
}

/** @param details what the value does not show: an error, a formula, a format */
function readValue(value: CellValue, details?: ExcelCell): Cell {
  if (details?.type === 'error') return { text: String(value), fault: 'formulaError' };
  if (details?.formula !== undefined && value === null) return { text: `=${details.formula}`, fault: 'noResult' };
  if (typeof value === 'boolean') return { text: value ? 'TRUE' : 'FALSE', fault: 'boolean' };
  if (value instanceof Date) return { text: dateText(value), fault: 'date' };
  if (typeof value !== 'number') return { text: value ?? '' };
  return readNumber(value, details?.style?.numFmt);
}

/** A format of zeros shows zeros before the number. What other formats show depends on the spreadsheet program. */
function readNumber(value: number, format = 'General'): Cell {
  const text = numberFormat.format(value);
  if (Math.abs(value) >= 1e15) return { text, fault: 'longNumber' };
  if (/^(general|@|)$/i.test(format)) return { text };
  const addsZeros = /^0+$/.test(format) && Number.isInteger(value) && value >= 0;
  return addsZeros ? { text: text.padStart(format.length, '0') } : { text, fault: 'formattedNumber' };
}

/** Excel shows and keeps 15 digits. The others are noise, such as that of 0.1 + 0.2. */
const numberFormat = new Intl.NumberFormat('en', { useGrouping: false, maximumSignificantDigits: 15 });

/** To the minute. The library gives a time the day before 1900. */
function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return 'date';
  const text = date.toISOString().slice(0, 16).replace('T', ' ');
  return text.replace(/ 00:00$|^1899-12-31 /, '');
}
