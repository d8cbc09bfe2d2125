import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolder } from './data-folder.js';
import { isPostmaster, readPid } from './postmaster-process.js';

const fillingMs = 2_000;

/**
 * Sees to it that a PostgreSQL that is gone does not keep the next one from starting. What protects the data stays: the
 * lock file in its folder, and PostgreSQL's check for processes that still use it.
 * @returns what the next one has to find in its environment.
 */
export async function passStaleLocks(folder: DataFolder): Promise<Record<string, string>> {
  const lock = join(folder.cluster, 'postmaster.pid');
  const socketLock = join(folder.socket, '.s.PGSQL.5432.lock');
  await removeEmpty(lock);
  await removeEmpty(socketLock);
  if (await isStale(socketLock, folder)) await rm(socketLock, { force: true });
  // PostgreSQL respects the process number in an old lock file even when another program has it by now, as happens in
  // containers, unless this variable names it.
  return (await isStale(lock, folder)) ? { PG_GRANDPARENT_PID: String(await readPid(lock)) } : {};
}

async function isStale(lock: string, folder: DataFolder): Promise<boolean> {
  const pid = await readPid(lock);
  return pid !== 0 && !(await isPostmaster(pid, folder));
}

// A lock file that stays empty was made in the moment of a power cut: its PostgreSQL never ran.
async function removeEmpty(lock: string): Promise<void> {
  const { size, mtimeMs } = await stat(lock).catch(() => ({ size: 1, mtimeMs: 0 }));
  if (size === 0 && Math.abs(Date.now() - mtimeMs) > fillingMs) await rm(lock, { force: true });
}
