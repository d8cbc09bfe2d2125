import Papa from 'papaparse';
import { type ColumnChoice, columnOf, splitCsvHeader } from './csv-header.js';
import { LineSplitter } from './lines.js';
import type { PetColumn } from './pet-columns.js';
import type { Source } from './source.js';

export interface CsvStart {
  /** The names of the columns, as they are in the first line. */
  names: string[];
  /** The column that each name stands for. */
  columns: ColumnChoice;
  /** The cells of the first rows. */
  rows: string[][];
}

const rowCount = 3;

/** Reads the first lines of a CSV file, so that a person can choose its columns. `undefined` if it is no CSV file in UTF-8. */
export async function readCsvStart(source: Source): Promise<CsvStart | undefined> {
  const [header, ...lines] = await firstLines(source);
  if (header === undefined || header.trimStart().startsWith('{')) return undefined;
  const { delimiter, names } = splitCsvHeader(header);
  const { data } = Papa.parse<string[]>(lines.join('\n'), { delimiter, newline: '\n', skipEmptyLines: true });
  const columns = names
    .map(guessColumn)
    .map((column, index, all) => (all.indexOf(column) === index ? column : undefined));
  return { names, columns, rows: data.slice(0, rowCount) };
}

/** `columnOf` is strict, because no person confirms its choice. */
function guessColumn(name: string): PetColumn | undefined {
  return columnOf(name) ?? (/^category( number| no\.?)?$/i.test(name.trim()) ? 'categoryId' : undefined);
}

async function firstLines(source: Source): Promise<string[]> {
  const splitter = new LineSplitter();
  const lines: string[] = [];
  for await (const chunk of source()) {
    for (const { text, fault } of splitter.push(chunk)) {
      if (fault !== undefined) return lines;
      if (lines.length > 0 || text.trim() !== '') lines.push(text.replace(/\r$/, ''));
      if (lines.length > rowCount) return lines;
    }
  }
  for (const { text, fault } of splitter.end()) if (fault === undefined) lines.push(text);
  return lines;
}
