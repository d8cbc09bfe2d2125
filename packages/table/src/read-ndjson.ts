import { parseJson, stringifyJson } from '@petstore/contracts';
import { withPlainLines } from './read-csv.js';
import { type Cell, type Table, tableRow, type TableRow } from './table.js';

/** Reads a text with a JSON object in each line. Its members become cells in the order of `fields`. */
export function readNdjson(text: string, fields: readonly string[]): Table {
  const lines = withPlainLines(text).split('\n');
  const rows = lines.flatMap((line, index) => (line.trim() === '' ? [] : [readLine(line, index + 1, fields)]));
  return { format: 'ndjson', rows };
}

function readLine(line: string, number: number, fields: readonly string[]): TableRow {
  try {
    return readObject(parseJson(line), number, fields);
  } catch (error) {
    return { number, cells: [], fault: { code: 'notJson', value: (error as SyntaxError).message } };
  }
}

function readObject(value: unknown, number: number, fields: readonly string[]): TableRow {
  if (!isObject(value)) return { number, cells: [], fault: { code: 'notObject' } };
  const unknown = Object.keys(value).find((member) => !fields.includes(member));
  if (unknown !== undefined) return { number, cells: [], fault: { code: 'unknownField', value: unknown } };
  const cells = fields.map((field) => readMember(value[field] ?? ''));
  return tableRow(number, cells);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readMember(value: unknown): Cell {
  if (typeof value === 'string') return { text: value };
  if (typeof value === 'number') return { text: String(value) };
  return { text: stringifyJson(value), fault: typeof value === 'bigint' ? undefined : 'wrongType' };
}
