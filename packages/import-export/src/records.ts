import { type CsvRecord, CsvRecords } from '@petstore/contracts';
import { detectEncoding } from './detect-encoding.js';
import type { Encoding } from './encoding.js';
import { isBlank, type Line, type LineFault, maxRecordLength, readLines } from './lines.js';
import { guessColumn, requiredColumns } from './pet-columns.js';
import type { Source } from './source.js';

/** How to read the records of a CSV file. */
export interface RecordSettings {
  /** Detected by default. NDJSON is always UTF-8. */
  encoding?: Encoding | undefined;
  /** The number of rows above the names of the columns, such as a title. They are skipped. */
  titleRows?: number | undefined;
  /** Whether the cells were copied from a spreadsheet: tab-separated, and most quotes are text. */
  isPasted?: boolean | undefined;
}

/** A record of a CSV file, or a line that is none. */
export type FileRecord = CsvRecord | { line: number; fault: LineFault };

/** A file whose first lines have been read. */
export interface OpenFile {
  /** The first lines, without blank ones before them. */
  start: readonly Line[];
  lines: () => AsyncIterable<Line>;
}

/** By so many lines the delimiter is chosen. */
const startLength = 50;

export async function openFile(source: Source, { encoding }: RecordSettings): Promise<OpenFile> {
  const known = encoding ?? (await detectEncoding(source)).encoding;
  const lines = () => readLines(source, known);
  const start: Line[] = [];
  for await (const line of lines()) {
    if (start.length > 0 || !isBlank(line)) start.push(line);
    if (start.length === startLength) break;
  }
  return { start, lines };
}

/** Whether a file is NDJSON. */
export function isNdjson({ start: [first] }: OpenFile): boolean {
  return first?.text.trimStart().startsWith('{') === true;
}

/** The records of a CSV file that are not blank. The first has the names of the columns, or is a row. */
export async function* readRecords(
  { start, lines }: OpenFile,
  settings: RecordSettings,
): AsyncGenerator<FileRecord, void> {
  let title = settings.titleRows ?? 0;
  for await (const record of readAllRecords({ start, lines }, settings)) {
    if (title > 0) title -= 1;
    else yield record;
  }
}

async function* readAllRecords(
  { start, lines }: OpenFile,
  { isPasted }: RecordSettings,
): AsyncGenerator<FileRecord, void> {
  const separator = separatorOf(start[0]);
  const delimiter = isPasted ? '\t' : (separator ?? chooseDelimiter(start));
  const records = new CsvRecords({ delimiter, isPasted, maxLength: maxRecordLength });
  for await (const line of lines()) {
    if (separator !== undefined && line.number === start[0]?.number) continue;
    if (line.fault) {
      yield* records.end();
      yield { line: line.number, fault: line.fault };
    } else for (const record of records.push(line)) if (!isEmpty(record)) yield record;
  }
  yield* records.end();
}

/** Spreadsheets write empty rows as delimiters only. */
function isEmpty(record: FileRecord): boolean {
  return 'cells' in record && record.cells.every((cell) => cell.trim() === '');
}

/** `;` for the line `sep=;`, which tells Excel the delimiter. */
function separatorOf(line: Line | undefined): string | undefined {
  const [, separator] = /^\s*"?sep=(\\t|[^"\r])"?(?:[\s,;]|\1)*$/i.exec(line?.text ?? '') ?? [];
  return separator === '\\t' ? '\t' : separator;
}

/** The delimiter that separates the known names of columns, else the one that gives most rows the same number of cells. */
function chooseDelimiter(start: readonly Line[]): string {
  const choices = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, fit: fitOf(start, delimiter) }));
  return choices.reduce((best, choice) => (isGreater(choice.fit, best.fit) ? choice : best)).delimiter;
}

/** How well a delimiter fits, the most important number first. */
function fitOf(start: readonly Line[], delimiter: string): number[] {
  const reader = new CsvRecords({ delimiter, maxLength: maxRecordLength });
  const rows = start
    .flatMap((line) => [...reader.push(line)])
    .flatMap((record) => ('cells' in record && !isEmpty(record) ? [record.cells] : []));
  const widths = rows.map(({ length }) => length).filter((width) => width > 1);
  const equal = widths.map((width) => widths.filter((other) => other === width).length);
  // A title may be above the names.
  const isKnown = rows.slice(0, maxTitleRows + 1).some(hasKnownNames);
  // Decimal commas are not in the names of the columns. Empty cells may be left out.
  return [Number(isKnown), widths.length, Math.max(0, ...equal), Math.max(0, ...widths)];
}

/** More rows above the names of the columns are not looked for. */
export const maxTitleRows = 9;

/** Whether these cells are the names of the columns that an import needs. */
export function hasKnownNames(cells: readonly string[]): boolean {
  const known = new Set(cells.map(guessColumn));
  return requiredColumns.every((column) => known.has(column));
}

function isGreater(one: readonly number[], other: readonly number[]): boolean {
  const index = one.findIndex((value, position) => value !== other[position]);
  return index !== -1 && (one[index] ?? 0) > (other[index] ?? 0);
}

/** The cells of a record without the empty ones at its end. */
export function usedCells(cells: readonly string[]): string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);
}
