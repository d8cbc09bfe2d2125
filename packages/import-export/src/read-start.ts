import { CsvRecords, petStatuses } from '@petstore/contracts';
import { readLines } from './lines.js';
import { type ColumnChoice, guessColumn, splitFirstLine } from './pet-columns.js';
import { isBlank, type ReadSettings } from './rows.js';
import { detectEncoding, type Encoding, type Source } from './source.js';

/** The start of a CSV file, by which a person chooses how to read it. */
export interface CsvStart {
  encoding: Encoding;
  /** Whether the first line names the columns. Without a choice, a guess: `false` if it looks like a row. */
  hasHeader: boolean;
  /** The names of the columns, as they are in the first line. Empty texts without a header. */
  names: string[];
  /** The column that each name probably stands for. */
  columns: ColumnChoice;
  /** The cells of the first rows. */
  rows: string[][];
}

const rowCount = 3;

/** Reads the first lines of a CSV file. `undefined` if it is no CSV file. `settings` replace what would be detected. */
export async function readCsvStart(
  source: Source,
  settings: Pick<ReadSettings, 'encoding' | 'hasHeader'> = {},
): Promise<CsvStart | undefined> {
  const encoding = settings.encoding ?? (await detectEncoding(source));
  const [first, ...lines] = await firstLines(source, encoding);
  if (first === undefined || first.trimStart().startsWith('{')) return undefined;
  const { delimiter, cells } = splitFirstLine(first);
  const hasHeader = settings.hasHeader ?? !looksLikeRow(cells);
  const names = hasHeader ? cells : cells.map(() => '');
  const guesses = hasHeader ? names.map(guessColumn) : guessByCells(cells);
  const columns = guesses.map((column, index) => (guesses.indexOf(column) === index ? column : undefined));
  return { encoding, hasHeader, names, columns, rows: rowsOf(hasHeader ? lines : [first, ...lines], delimiter) };
}

const isNumber = (cell: string) => /^-?\d+$/.test(cell.trim());
const isStatus = (cell: string) => petStatuses.some((status) => status === cell.trim().toLowerCase());

/** Names of columns are not numbers, and no column is named like a status. */
function looksLikeRow(cells: readonly string[]): boolean {
  return !cells.some(guessColumn) && cells.some((cell) => isNumber(cell) || isStatus(cell));
}

/** The first number is the category, and the first text that is no status is the name. */
function guessByCells(cells: readonly string[]): ColumnChoice {
  const category = cells.findIndex(isNumber);
  const status = cells.findIndex(isStatus);
  const name = cells.findIndex((cell) => cell.trim() !== '' && !isNumber(cell) && !isStatus(cell));
  return cells.map((_, index) => {
    if (index === name) return 'name';
    if (index === category) return 'categoryId';
    return index === status ? 'status' : undefined;
  });
}

function rowsOf(lines: readonly string[], delimiter: string): string[][] {
  const records = new CsvRecords(delimiter);
  const found = lines.flatMap((text, index) => [...records.push({ number: index + 1, text })]);
  return [...found, ...records.end()]
    .flatMap((record) => ('cells' in record ? [record.cells] : []))
    .filter((cells) => cells.some((cell) => cell !== ''))
    .slice(0, rowCount);
}

async function firstLines(source: Source, encoding: Encoding): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readLines(source, encoding)) {
    if (line.fault !== undefined) break;
    if (lines.length > 0 || !isBlank(line)) lines.push(line.text);
    // More than are shown, because a row can have several lines.
    if (lines.length > 10 * rowCount) break;
  }
  return lines;
}
