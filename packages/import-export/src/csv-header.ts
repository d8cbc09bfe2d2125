import Papa from 'papaparse';
import { type PetColumn, petColumns, requiredColumns } from './pet-columns.js';

const expected = 'The first line must name the columns `name` and `categoryId`, and may name `status` and `id`.';

/** The column of each cell. `undefined` ignores the cell. */
export type ColumnChoice = readonly (PetColumn | undefined)[];

export interface CsvHeader {
  delimiter: string;
  columns: ColumnChoice;
}

/**
 * Reads the first line of a CSV file. Returns a text that names the fault if it is not valid.
 * @param choice replaces the columns that the line names
 */
export function readCsvHeader(text: string, choice?: ColumnChoice): CsvHeader | string {
  if (text.trimEnd().includes('\r')) return 'The lines end with CR. Save the file with LF or CRLF line ends.';
  const { delimiter, names } = splitCsvHeader(text);
  if (choice) return { delimiter, columns: choice };
  if (/^\s*\[\s*(\{|$)/.test(text)) return 'The file is a JSON array. Save it as NDJSON, with one object per line.';
  const columns = names.map(columnOf);
  const unknown = columns.indexOf(undefined);
  if (unknown !== -1) return `\`${names[unknown]?.slice(0, 80)}\` is not a known column. ${expected}`;
  const repeated = columns.find((column, index) => columns.indexOf(column) !== index);
  if (repeated) return `The column \`${repeated}\` occurs more than once.`;
  const missing = requiredColumns.find((column) => !columns.includes(column));
  if (missing) return `The column \`${missing}\` is missing. ${expected}`;
  return { delimiter, columns };
}

/** The delimiter and the names of the columns. Spaces at the end of the line are not part of a name, but tabs are. */
export function splitCsvHeader(text: string): { delimiter: string; names: string[] } {
  const { data, meta } = Papa.parse<string[]>(text.replace(/[\r\n ]+$/, ''), { delimitersToGuess: [',', ';', '\t'] });
  return { delimiter: meta.delimiter, names: data[0] ?? [] };
}

/** Ignores letter case, spaces, `_` and `-`: `Category ID` is `categoryId`. */
export function columnOf(name: string): PetColumn | undefined {
  const plain = name.replaceAll(/[\s_-]/g, '').toLowerCase();
  return petColumns.find((column) => column.toLowerCase() === plain);
}
