import { randomBytes } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ExplainedError } from '@petstore/contracts';
import { fileReason } from '../errors.js';

/**
 * Locks a journal by a file with the id of this process in its name. Returns a function that removes the file.
 * Every process creates its file before it looks for those of others, so two processes never both have the lock. If they
 * start at the same moment, both can fail.
 * @throws ExplainedError if another process has the lock.
 */
export async function lock(journalPath: string): Promise<() => Promise<void>> {
  const folder = dirname(journalPath);
  const prefix = `${basename(journalPath)}.lock-`;
  // Random, because a process can have the id of a killed one.
  const own = `${prefix}${process.pid}-${randomBytes(8).toString('hex')}`;
  const unlock = () => rm(join(folder, own), { force: true });
  await create(folder, own);
  try {
    const others = (await readdir(folder)).filter((name) => name.startsWith(prefix) && name !== own);
    for (const name of others) await removeStale(join(folder, name), Number.parseInt(name.slice(prefix.length), 10));
    return unlock;
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function create(folder: string, name: string): Promise<void> {
  try {
    await writeFile(join(folder, name), '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const reason = fileReason(error) ?? (error as Error).message;
    throw new ExplainedError(`The journal cannot be written in ${folder}: ${reason}. Choose a file with --journal.`);
  }
}

/** Removes the lock of a killed process. */
async function removeStale(path: string, owner: number): Promise<void> {
  if (isAlive(owner)) {
    throw new ExplainedError(`Another import of this file is running (process ${owner}). If not, delete ${path}.`);
  }
  await rm(path, { force: true });
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
