import { type FileHandle, open, readFile, stat, statfs, truncate } from 'node:fs/promises';
import type { DataDirectory } from './data-directory.js';
import { directoryError } from './embedded-postgres-error.js';

const limitBytes = 10 * 1024 * 1024;

export async function openLog({ log: path, root, account }: DataDirectory): Promise<FileHandle> {
  try {
    await truncateLog(path);
    const log = await open(path, 'a', 0o600);
    const { identity } = account;
    if (identity.uid !== undefined) await log.chown(identity.uid, identity.gid);
    return log;
  } catch (error) {
    throw directoryError(root, error);
  }
}

/** Empties a log of more than 10 MiB. PostgreSQL appends, so it continues at the start of the file. */
export async function truncateLog(path: string): Promise<void> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size > limitBytes) await truncate(path);
}

/** Reads the log from the byte `begin` on. */
export async function readLog({ log, root }: DataDirectory, begin: number): Promise<string> {
  const output = (await readFile(log)).subarray(begin).toString();
  const isFull = output === '' && (await statfs(root)).bavail === 0;
  return isFull ? 'FATAL: No space left on device' : output;
}
