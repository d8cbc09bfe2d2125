import Papa from 'papaparse';
import { type PetColumn, petColumns } from './pet-columns.js';

const expected = 'The first line must name the columns `name` and `categoryId`, and may name `status` and `id`.';

export interface CsvHeader {
  delimiter: string;
  columns: PetColumn[];
}

/** Reads the first line of a CSV file. Returns a text that names the fault if it is not valid. */
export function readCsvHeader(text: string): CsvHeader | string {
  if (text.trimEnd().includes('\r')) return 'The lines end with CR. Save the file with LF or CRLF line ends.';
  const { data, meta } = Papa.parse<string[]>(text.trimEnd(), { delimitersToGuess: [',', ';', '\t'] });
  const names = data[0] ?? [];
  const columns = names.map(columnOf);
  const unknown = columns.indexOf(undefined);
  if (unknown !== -1) return `\`${names[unknown]?.slice(0, 80)}\` is not a known column. ${expected}`;
  const repeated = columns.find((column, index) => columns.indexOf(column) !== index);
  if (repeated) return `The column \`${repeated}\` occurs more than once.`;
  const missing = (['name', 'categoryId'] as const).find((column) => !columns.includes(column));
  if (missing) return `The column \`${missing}\` is missing. ${expected}`;
  return { delimiter: meta.delimiter, columns: columns.filter((column) => column !== undefined) };
}

/** Ignores letter case, spaces, `_` and `-`: `Category ID` is `categoryId`. */
function columnOf(name: string): PetColumn | undefined {
  const plain = name.replaceAll(/[\s_-]/g, '').toLowerCase();
  return petColumns.find((column) => column.toLowerCase() === plain);
}
