import type { Row } from '../../src/pet-columns.js';
import { readRows } from '../../src/rows.js';
import type { Source } from '../../src/source.js';

/** A file that is read in chunks of this many bytes. */
export function fileOf(content: string | Uint8Array, chunkBytes = 7): Source {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return async function* chunks() {
    for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes);
  };
}

/** The rows of a file. */
export async function rowsOf(content: string | Uint8Array, chunkBytes?: number): Promise<Row[]> {
  const rows = [];
  for await (const row of readRows(fileOf(content, chunkBytes))) rows.push(row);
  return rows;
}

/** The faults of a file, each as `line: fault`. */
export async function faultsOf(content: string | Uint8Array): Promise<string[]> {
  const rows = await rowsOf(content);
  return rows.flatMap((row) => ('fault' in row ? [`${row.line}: ${row.fault}`] : []));
}
