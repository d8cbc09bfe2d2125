import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { ExplainedError } from '@petstore/contracts';
import { tableLimits } from '@petstore/table/table.js';
import { UsageError } from '../errors.js';

/**
 * Reads a file, standard input (`-`) or a pipe such as `<(zcat animals.csv.gz)` into memory.
 * @throws UsageError or ExplainedError if it cannot be read
 */
export async function readInput(file: string, signal: AbortSignal): Promise<Uint8Array> {
  if (file !== '-') await rejectDirectory(file);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const stream = file === '-' ? process.stdin : createReadStream(file);
  for await (const chunk of addAbortSignal(signal, stream) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > tableLimits.bytes) {
      const name = file === '-' ? 'The input' : file;
      throw new ExplainedError(
        `${name} is larger than ${tableLimits.bytes / 2 ** 20} MB. Split it into several files.`,
      );
    }
  }
  return Buffer.concat(chunks);
}

async function rejectDirectory(file: string): Promise<void> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new UsageError(`The file ${file} does not exist.`);
    throw error;
  });
  if (found.isDirectory()) throw new UsageError(`${file} is a directory. Name an Excel, CSV or NDJSON file.`);
}
