import { petStatuses } from '@petstore/contracts';
import { detectEncoding } from './detect-encoding.js';
import type { Encoding } from './encoding.js';
import { type ColumnChoice, guessColumn } from './pet-columns.js';
import { hasKnownNames, isNdjson, maxTitleRows, openFile, readRecords, usedCells } from './records.js';
import type { ReadSettings } from './rows.js';
import type { Source } from './source.js';

/** The start of a CSV file, by which a person chooses how to read it. */
export interface CsvStart {
  encoding: Encoding;
  /** If the encoding is a guess: the first cells whose characters could be wrong. Empty if there are none. */
  doubtful: string[];
  /** The rows above the table that are probably a title. */
  titles: string[];
  /** How many of them are skipped. */
  titleRows: number;
  /** Whether the first line names the columns. Without a choice, a guess: `false` if it looks like a row. */
  hasHeader: boolean;
  /** The names of the columns, as they are in the first line. Empty texts without a header. */
  names: string[];
  /** The column that each name probably stands for. */
  columns: ColumnChoice;
  /** The cells of the first rows. */
  rows: string[][];
}

/** What a person can choose before the columns. */
export type StartSettings = Pick<ReadSettings, 'encoding' | 'hasHeader' | 'isPasted' | 'titleRows'>;

const rowCount = 3;
const doubtfulCount = 5;

/** Reads the first lines of a CSV file. `undefined` if it is no CSV file. `settings` replace what would be detected. */
export async function readCsvStart(source: Source, settings: StartSettings = {}): Promise<CsvStart | undefined> {
  const detected = await detectEncoding(source);
  const encoding = settings.encoding ?? detected.encoding;
  const all = await firstRows(source, { encoding, isPasted: settings.isPasted });
  if (!all) return undefined;
  const titles = all.slice(0, countTitles(all)).map((cells) => cells.join(' ').trim());
  const titleRows = settings.titleRows ?? titles.length;
  const first = all.slice(titleRows, titleRows + rowCount + 1);
  const hasHeader = settings.hasHeader ?? !looksLikeRow(first[0] ?? []);
  const rows = hasHeader ? first.slice(1) : first.slice(0, rowCount);
  const width = Math.max(...(hasHeader ? first.slice(0, 1) : rows).map(({ length }) => length));
  const names = Array.from({ length: width }, (_, index) => (hasHeader ? (first[0]?.[index] ?? '') : ''));
  const guesses = hasHeader ? names.map(guessColumn) : guessByCells(first[0] ?? []);
  const columns = names.map((_, index) => {
    const column = guesses[index];
    return guesses.indexOf(column) === index ? column : undefined;
  });
  const doubtful = detected.isGuess ? await doubtfulCells(source, { ...settings, encoding }) : [];
  return { encoding, doubtful, titles, titleRows, hasHeader, names, columns, rows };
}

/** The first cells that are not ASCII: they look wrong in a wrong encoding. */
export async function doubtfulCells(source: Source, settings: StartSettings): Promise<string[]> {
  const found = new Set<string>();
  for await (const record of readRecords(await openFile(source, settings), settings)) {
    if (!('cells' in record)) continue;
    for (const cell of record.cells) if (/[^\p{ASCII}]/u.test(cell)) found.add(cell.trim());
    if (found.size >= doubtfulCount) break;
  }
  return [...found].slice(0, doubtfulCount);
}

/** The cells of the header and the first rows. `undefined` if the file is no CSV file. */
async function firstRows(source: Source, settings: StartSettings): Promise<string[][] | undefined> {
  const file = await openFile(source, settings);
  if (isNdjson(file)) return undefined;
  const rows: string[][] = [];
  for await (const record of readRecords(file, settings)) {
    if ('cells' in record) rows.push(usedCells(record.cells));
    else if (rows.length === 0) return undefined;
    if (rows.length > maxTitleRows + rowCount) break;
  }
  return rows.length > 0 ? rows : undefined;
}

/** A title is above the known names of columns, or fills only the first cell of its row. */
function countTitles(rows: readonly string[][]): number {
  const names = rows.findIndex(hasKnownNames);
  if (names !== -1) return names;
  const table = rows.findIndex(({ length }) => length > 1);
  return Math.max(table, 0);
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
