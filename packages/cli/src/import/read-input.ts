import { readFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { statIfPresent, UsageError } from '../errors.js';

/**
 * Reads a file, standard input (`-`) or a pipe such as `<(zcat animals.csv.gz)` into memory.
 * @throws UsageError if it is no file
 */
export async function readInput(file: string, signal: AbortSignal): Promise<Uint8Array> {
  if (file === '-') return buffer(addAbortSignal(signal, process.stdin));
  const found = await statIfPresent(file);
  if (!found) throw new UsageError(`The file ${file} does not exist.`);
  if (found.isDirectory()) throw new UsageError(`${file} is a directory. Name an Excel, CSV or NDJSON file.`);
  return readFile(file, { signal });
}
