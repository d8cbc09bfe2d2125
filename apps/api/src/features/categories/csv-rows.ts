import { isUtf8 } from 'node:buffer';
import Papa from 'papaparse';

export interface CsvRow {
  /** The line of the file on which the row starts: a quoted cell can contain line breaks. */
  line: number;
  cells: string[];
  /** Why the row is not valid CSV. */
  fault: string | undefined;
}

const lineBreak = /\r\n?|\n/g;
const quoteFaults: Readonly<Record<string, string>> = {
  MissingQuotes: 'a quoted cell has no closing quotation mark',
  InvalidQuotes: 'a quotation mark in a quoted cell must be doubled',
};

/** Reads the rows of a CSV file (RFC 4180) without its empty lines. */
export function readRows(text: string): CsvRow[] {
  const input = text.replaceAll(lineBreak, '\n');
  const rows: CsvRow[] = [];
  let [line, position] = [1, 0];
  Papa.parse<string[]>(input, {
    delimiter: ',',
    newline: '\n',
    step: ({ data: cells, errors: [error], meta: { cursor } }) => {
      const fault = error && (quoteFaults[error.code] ?? error.message);
      if (cells.length > 1 || cells[0] !== '') rows.push({ line, cells, fault });
      line += input.slice(position, cursor).split('\n').length - 1;
      position = cursor;
    },
  });
  return rows;
}

/** The numbers of the lines that are not valid UTF-8. */
export function invalidLines(bytes: Buffer): number[] {
  if (isUtf8(bytes)) return [];
  const lines = bytes.toString('latin1').split(lineBreak);
  return lines.flatMap((line, index) => (isUtf8(Buffer.from(line, 'latin1')) ? [] : [index + 1]));
}
