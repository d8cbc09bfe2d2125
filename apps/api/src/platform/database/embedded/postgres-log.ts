import { type FileHandle, open, readFile, stat, statfs, truncate } from 'node:fs/promises';
import type { DataFolder } from './data-folder.js';
import { folderError } from './embedded-postgres.error.js';

const limitBytes = 10 * 1024 * 1024;

/** Opens the file in which PostgreSQL says what it does. */
export async function openLog({ log: path, root, account }: DataFolder): Promise<FileHandle> {
  try {
    await keepLogSmall(path);
    const log = await open(path, 'a', 0o600);
    const { identity } = account;
    if (identity.uid !== undefined) await log.chown(identity.uid, identity.gid);
    return log;
  } catch (error) {
    throw folderError(root, error);
  }
}

/** PostgreSQL appends to its log, so it goes on at the start of the emptied file. */
export async function keepLogSmall(path: string): Promise<void> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size > limitBytes) await truncate(path);
}

/** What was said from the byte `begin` on. */
export async function readLog({ log, root }: DataFolder, begin: number): Promise<string> {
  const said = (await readFile(log)).subarray(begin).toString();
  const isFull = said === '' && (await statfs(root)).bavail === 0;
  return isFull ? 'FATAL: No space left on device, even for what PostgreSQL says' : said;
}
