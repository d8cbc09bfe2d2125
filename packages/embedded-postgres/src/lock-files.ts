import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { DataDirectory } from './data-directory.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

type Cluster = Pick<DataDirectory, 'cluster'>;

const emptyLockMs = 2_000;
const stopMs = 10_000;

/** Stops the PostgreSQL of the directory, if one runs, and waits until it has ended. */
export async function stopPostmaster(directory: Cluster): Promise<void> {
  const pid = await readPid(join(directory.cluster, 'postmaster.pid'));
  // "Fast" shutdown, then "immediate" shutdown, which leaves crash recovery to the next start. Both keep all data.
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!(await isPostmaster(pid, directory))) return;
    send(signal, pid);
    const deadline = performance.now() + stopMs;
    while (performance.now() < deadline && (await isPostmaster(pid, directory))) await sleep(10);
  }
  if (!(await isPostmaster(pid, directory))) return;
  throw new EmbeddedPostgresError(`The embedded PostgreSQL (process ${pid}) does not stop. Its data is safe.`);
}

/**
 * Removes stale lock files that would prevent a start. PostgreSQL still checks for processes that use the data.
 * @returns environment variables for the next postmaster.
 */
export async function removeStaleLocks(directory: DataDirectory): Promise<Record<string, string>> {
  const lock = join(directory.cluster, 'postmaster.pid');
  const socketLock = join(directory.socket, '.s.PGSQL.5432.lock');
  await removeEmpty(lock);
  await removeEmpty(socketLock);
  if (await isStale(socketLock, directory)) await rm(socketLock, { force: true });
  // PostgreSQL respects a stale lock file when another program has its process id, which is common in containers. It
  // ignores the process id in this variable.
  return (await isStale(lock, directory)) ? { PG_GRANDPARENT_PID: String(await readPid(lock)) } : {};
}

/** The process id in a lock file; 0 without one. The process may have ended. */
export async function readPid(lockFile: string): Promise<number> {
  const content = await readFile(lockFile, 'utf8').catch(() => '');
  return Number.parseInt(content, 10) || 0;
}

async function isStale(lock: string, directory: DataDirectory): Promise<boolean> {
  const pid = await readPid(lock);
  return pid !== 0 && !(await isPostmaster(pid, directory));
}

// A power cut at the moment of its creation leaves a lock file empty.
async function removeEmpty(lock: string): Promise<void> {
  const { size, mtimeMs } = await stat(lock).catch(() => ({ size: 1, mtimeMs: 0 }));
  if (size === 0 && Math.abs(Date.now() - mtimeMs) > emptyLockMs) await rm(lock, { force: true });
}

/** Whether the process is the PostgreSQL of this directory. The operating system reuses process ids. */
async function isPostmaster(pid: number, { cluster }: Cluster): Promise<boolean> {
  if (pid <= 0) return false;
  const command = process.platform === 'linux' ? await readCommand(pid) : await runPs(pid);
  return command.includes(`-D ${cluster} -p 5432 `);
}

async function readCommand(pid: number): Promise<string> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.replaceAll('\0', ' ');
}

async function runPs(pid: number): Promise<string> {
  const ps = promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
  return ps.then(({ stdout }) => stdout).catch(() => '');
}

function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
