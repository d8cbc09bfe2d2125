import type { Fault } from '../../src/faults.js';
import { type ReadSettings, readRows, type Row } from '../../src/rows.js';
import type { Source } from '../../src/source.js';

/** A file that is read in chunks of this many bytes. */
export function fileOf(content: string | Uint8Array, chunkBytes = 7): Source {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return async function* chunks() {
    for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes);
  };
}

/** The rows of a file. */
export async function rowsOf(
  content: string | Uint8Array,
  { chunkBytes, ...settings }: ReadSettings & { chunkBytes?: number } = {},
): Promise<Row[]> {
  const rows = [];
  for await (const row of readRows(fileOf(content, chunkBytes), settings)) rows.push(row);
  return rows;
}

/** The faults of a file, each as `line: field code value`. */
export async function faultsOf(content: string | Uint8Array, settings?: ReadSettings): Promise<string[]> {
  const rows = await rowsOf(content, settings);
  return rows.flatMap((row) => ('faults' in row ? row.faults.map((fault) => `${row.line}: ${textOf(fault)}`) : []));
}

/** A fault as `field code value`. */
export function textOf({ field, code, value }: Fault): string {
  return [field, code, value].filter((part) => part !== undefined).join(' ');
}
