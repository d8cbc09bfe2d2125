import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { DataFolder } from './data-folder.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

type Cluster = Pick<DataFolder, 'cluster'>;

// "Fast" ends the sessions and leaves the data tidy; "immediate" leaves the tidying to the next start. Both are safe.
// In the second PostgreSQL itself waits 5 s before it kills a session that does not end.
const stops = [
  { signal: 'SIGINT', patienceMs: 10_000 },
  { signal: 'SIGQUIT', patienceMs: 10_000 },
] as const;

/** Stops the folder's PostgreSQL, if it runs, and waits until it has gone. */
export async function stopPostmaster(folder: Cluster): Promise<void> {
  const pid = await readPid(join(folder.cluster, 'postmaster.pid'));
  for (const { signal, patienceMs } of stops) {
    if (!(await isPostmaster(pid, folder))) return;
    send(signal, pid);
    const deadline = performance.now() + patienceMs;
    while (performance.now() < deadline && (await isPostmaster(pid, folder))) await sleep(10);
  }
  if (!(await isPostmaster(pid, folder))) return;
  throw new EmbeddedPostgresError(`The embedded PostgreSQL (process ${pid}) does not stop. Its data is safe.`);
}

function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The process number in a lock file of PostgreSQL's; 0 without one. The process may be long gone. */
export async function readPid(lockFile: string): Promise<number> {
  const content = await readFile(lockFile, 'utf8').catch(() => '');
  return Number.parseInt(content, 10) || 0;
}

/** Whether the process with this number is PostgreSQL on this folder: numbers are used again. */
export async function isPostmaster(pid: number, { cluster }: Cluster): Promise<boolean> {
  if (pid <= 0) return false;
  const command = process.platform === 'linux' ? await commandByProc(pid) : await commandByPs(pid);
  return command.includes(`-D ${cluster} -p 5432 `);
}

async function commandByProc(pid: number): Promise<string> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.replaceAll('\0', ' ');
}

async function commandByPs(pid: number): Promise<string> {
  const ps = promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
  return ps.then(({ stdout }) => stdout).catch(() => '');
}
