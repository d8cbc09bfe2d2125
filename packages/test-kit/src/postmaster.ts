import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const stopMs = 10_000;

/** The pid of the PostgreSQL server of a database cluster. `undefined` if none runs. */
export async function postmasterPid(cluster: string): Promise<number | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  return Number.parseInt(text, 10) || undefined;
}

/** SIGINT shuts PostgreSQL down cleanly ("fast"), SIGQUIT immediately: the next start recovers the data. */
export async function stopPostmaster(pid: number, signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
  if (isAlive(pid)) process.kill(pid, signal);
  for (const begin = Date.now(); isAlive(pid); await sleep(20)) {
    if (Date.now() - begin > stopMs)
      throw new Error(`PostgreSQL ${pid} did not stop within ${stopMs / 1000} s of ${signal}.`);
  }
}

/** Whether a process runs. A zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !isZombie(pid);
  } catch {
    return false;
  }
}

/** Linux keeps the pid of an ended process, without its command line, until the parent collects it. */
function isZombie(pid: number): boolean {
  return existsSync('/proc/self') && readFileSync(`/proc/${pid}/cmdline`, 'utf8') === '';
}

/** Sends a signal, unless the process has ended. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
