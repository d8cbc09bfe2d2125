import { decode } from './encoding.js';
import { isWorkbook } from './other-format.js';
import { readCsv } from './read-csv.js';
import { readNdjson } from './read-ndjson.js';
import { type ReadOptions, type Table, TableError, tableLimits, tableRow, type TableRow } from './table.js';

/**
 * Reads a file once. Recognizes its format by its bytes, not by its name.
 * @throws TableError
 */
export async function readTable(bytes: Uint8Array, options: ReadOptions = {}): Promise<Table> {
  const isExcel = isWorkbook(bytes);
  const table = isExcel ? await readWorkbook(bytes, options) : await readText(bytes, options);
  if (table.rows.length === 0) {
    const hidden = 'All rows are hidden. Show them in your spreadsheet program, and save the file.';
    throw new TableError(table.hiddenRows ? hidden : 'The file has no rows.');
  }
  const limit = isExcel ? tableLimits.excelRows : tableLimits.rows;
  // The names of the columns are one more.
  if (table.rows.length <= limit + 1) return table;
  const advice = isExcel ? 'Split it, or save it as CSV.' : 'Split it.';
  throw new TableError(`The file has more than ${limit.toLocaleString('en')} rows. ${advice}`);
}

/** Most files do not need the code for Excel. */
const readWorkbook = async (bytes: Uint8Array, options: ReadOptions) =>
  (await import('./read-excel.js')).readExcel(bytes, options);

async function readText(bytes: Uint8Array, options: ReadOptions): Promise<Table> {
  if (bytes.length > tableLimits.bytes) {
    throw new TableError(`The file has more than ${tableLimits.bytes / 2 ** 20} MB. Split it.`);
  }
  const { text, encoding, isGuess, hasUndecodable } = decode(bytes, options.encoding);
  const isNdjson = options.fields && /^\s*\{/.test(text);
  const table = isNdjson ? readNdjson(text, options.fields ?? []) : readCsv(text, options);
  return { ...table, rows: hasUndecodable ? table.rows.map(withUndecodable) : table.rows, encoding, isGuess };
}

function withUndecodable(row: TableRow): TableRow {
  const faultOf = (text: string, index: number) => (text.includes('\uFFFD') ? 'undecodable' : row.cellFaults?.[index]);
  const cells = row.cells.map((text, index) => ({ text, fault: faultOf(text, index) }));
  return { ...row, ...tableRow(row.number, cells) };
}
