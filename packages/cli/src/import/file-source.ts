import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ExplainedError } from '@petstore/contracts';
import type { Source } from '@petstore/import-export/source.js';
import { fileReason, UsageError } from '../errors.js';

/**
 * Reads a file. Standard input (`-`) and pipes such as `<(zcat animals.csv.gz)` are copied to a temporary file, because an
 * import reads the file twice.
 */
export async function withSource<Result>(
  file: string,
  signal: AbortSignal,
  use: (source: Source, isCopy: boolean) => Promise<Result>,
): Promise<Result> {
  if (file !== '-' && (await isRegularFile(file))) return use(() => createReadStream(file), false);
  const folder = await mkdtemp(join(tmpdir(), 'petstore-import-'));
  try {
    const copy = join(folder, 'copy');
    const input = file === '-' ? process.stdin : createReadStream(file);
    await pipeline(input, createWriteStream(copy, { mode: 0o600 }), { signal }).catch(explainFullDisk);
    return await use(() => createReadStream(copy), true);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function explainFullDisk(error: NodeJS.ErrnoException): never {
  if (error.syscall !== 'write') throw error;
  const place = `${tmpdir()}: ${fileReason(error) ?? error.message}`;
  throw new ExplainedError(`The input cannot be copied to ${place}. Set TMPDIR to another directory.`);
}

/** @throws UsageError if the file does not exist or is a directory. */
async function isRegularFile(file: string): Promise<boolean> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found?.isDirectory()) throw new UsageError(`${file} is a directory. Name a CSV or NDJSON file.`);
  if (!found) throw new UsageError(`The file ${file} does not exist.`);
  return found.isFile();
}
