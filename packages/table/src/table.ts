/** What a file has: rows of texts, without blank rows. The names of the columns and titles above them are rows too. */
export interface Table {
  format: 'excel' | 'csv' | 'ndjson';
  rows: readonly TableRow[];
  /** Of an Excel file: the sheet that was read. */
  sheet?: string | undefined;
  /** Of an Excel file: the visible sheets that have cells. If there are several, a person must know which one is read. */
  sheets?: readonly string[] | undefined;
  /** Of an Excel file: how many rows of the sheet were left out because the spreadsheet hides them. A person must know it. */
  hiddenRows?: number | undefined;
  /** Of a text. */
  encoding?: string | undefined;
  /** Whether the encoding is a guess: the text has no byte order mark and is not UTF-8. A person must see the result. */
  isGuess?: boolean | undefined;
}

/** A row of a table. */
export interface TableRow {
  /** As the spreadsheet numbers it, also after a cell with a line break. Of NDJSON, the number of the line. Counts from 1. */
  number: number;
  /** Without empty ones at the end. */
  cells: readonly string[];
  /** Why the text of a cell is not a value, by the position of the cell. */
  cellFaults?: Readonly<Record<number, CellFault>> | undefined;
  /** Why the row cannot be read. */
  fault?: RowFault | undefined;
}

/**
 * `date`, `boolean`, `formulaError`: a cell of Excel that is not a text or a number. `longNumber`: Excel keeps only 15 digits.
 * `formattedNumber`: the spreadsheet may show the number as another text, such as 50%. `noResult`: no spreadsheet program has
 * calculated the formula. `formula`: a cell of CSV that a spreadsheet would calculate. `undecodable`: bytes that are not of the
 * encoding of the text. `wrongType`: a JSON value that is neither a text nor a number.
 */
export type CellFault =
  | 'date'
  | 'boolean'
  | 'formulaError'
  | 'longNumber'
  | 'formattedNumber'
  | 'noResult'
  | 'formula'
  | 'undecodable'
  | 'wrongType';

/** A line of an NDJSON file that is not an object with known members. `value` names the cause. */
export interface RowFault {
  code: 'notJson' | 'notObject' | 'unknownField';
  value?: string | undefined;
}

/** How a person wants a file to be read. What is omitted is recognized. */
export interface ReadOptions {
  /** Of a text: the label of an encoding in the Encoding Standard. */
  encoding?: string | undefined;
  /** Of an Excel file: the name of the sheet. */
  sheet?: string | undefined;
  /** Of an Excel file: whether to read the rows that the spreadsheet hides: by hand, by a filter or in a closed group. */
  includeHidden?: boolean | undefined;
  /** Whether the cells were copied from a spreadsheet: tab-separated, and most quotation marks are text. */
  isPasted?: boolean | undefined;
  /** Whether these cells are known names of columns. A delimiter that gives such a row is the right one. */
  isHeader?: ((cells: readonly string[]) => boolean) | undefined;
  /** The members of an NDJSON object, in the order of the cells. Others are faults. Default: no NDJSON. */
  fields?: readonly string[] | undefined;
}

/** Above these limits, a file is refused. */
export const tableLimits = {
  /** Of a CSV or NDJSON file. */
  bytes: 64 * 1024 * 1024,
  rows: 1_000_000,
  excelRows: 100_000,
  /** Of an Excel file when it is unpacked: a small file can hide gigabytes. */
  unpackedBytes: 256 * 1024 * 1024,
} as const;

/** The file cannot be read as a table. The message is complete for a person: what is wrong, and how to fix it. */
export class TableError extends Error {
  override readonly name = 'TableError';
}

/** A cell that was read. */
export interface Cell {
  text: string;
  fault?: CellFault | undefined;
}

/** Creates a row of these cells. */
export function tableRow(number: number, cells: readonly Cell[]): TableRow {
  const faults = cells.flatMap(({ fault }, index) => (fault ? [[index, fault] as const] : []));
  const texts = usedCells(cells.map(({ text }) => text));
  return { number, cells: texts, ...(faults.length > 0 && { cellFaults: Object.fromEntries(faults) }) };
}

/** The cells without the empty ones at the end. */
export function usedCells(cells: readonly string[]): readonly string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);
}

/** Some cells that show whether the guess of the encoding is right. Empty without a guess. */
export function doubtfulCells({ isGuess, rows }: Table): string[] {
  const found = new Set<string>();
  for (const { cells } of isGuess ? rows : []) {
    for (const cell of cells) if (/[^\0-\u007F]/.test(cell)) found.add(cell);
    if (found.size >= 5) break;
  }
  return [...found].slice(0, 5);
}
