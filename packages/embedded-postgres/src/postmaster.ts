import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DataDirectory } from './data-directory.js';
import { EmbeddedPostgresError, programError } from './embedded-postgres-error.js';
import { findPrograms, run } from './postgres-programs.js';

/** How long a start may take before it counts as slow, in seconds. Crash recovery may take longer. */
const startSeconds = 60;
const stopSeconds = 10;
const emptyLockMs = 2_000;

/**
 * Starts PostgreSQL, and waits until it accepts connections, or for 60 s.
 * @throws EmbeddedPostgresError when it does not start, a RetryableError when another PostgreSQL uses the data.
 */
export async function startPostmaster(directory: DataDirectory, signal?: AbortSignal): Promise<void> {
  const { postgres } = await findPrograms();
  // PostgreSQL respects a stale lock file when another program has its process id, which is common in containers. It
  // ignores the process id in this variable, but still rejects data that processes use. pg_ctl overwrites the variable, so
  // it starts `env`, which sets it.
  const command = [`PG_GRANDPARENT_PID=${await stalePid(directory)}`, postgres, ...serverOptions(directory)];
  const options = ['start', '--silent', `--timeout=${startSeconds}`, '-p', 'env', '-o', command.map(quote).join(' ')];
  const output = await run(directory, 'pg_ctl', options, { env: { PGDATA: directory.cluster }, signal });
  // PostgreSQL is still recovering its data, or another process has stopped it.
  if (output === undefined || /did not start in time|received \w+ shutdown request/.test(output)) return;
  throw programError(directory.root, output);
}

/** Stops the PostgreSQL of the directory. It must run: otherwise, its process id may be that of another program. */
export async function stopPostmaster(directory: DataDirectory): Promise<void> {
  // An immediate shutdown leaves crash recovery to the next start. Both keep all data.
  for (const mode of ['fast', 'immediate']) {
    const options = ['stop', '--silent', `--pgdata=${directory.cluster}`, `--mode=${mode}`, `--timeout=${stopSeconds}`];
    if ((await run(directory, 'pg_ctl', options)) === undefined) return;
  }
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL in ${directory.root} does not stop. Its data is safe. Stop its processes, then start again.`,
  );
}

function serverOptions({ cluster, socket }: DataDirectory): string[] {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: `"${socket.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    // The service logs failed statements itself. PostgreSQL would add row data.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
  };
  const assignments = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', cluster, '-p', '5432', ...assignments];
}

/** pg_ctl runs its options in a shell. */
function quote(argument: string): string {
  return `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns the process id in the lock file of a PostgreSQL that has ended; 0 without one. */
async function stalePid({ cluster, socket }: DataDirectory): Promise<number> {
  const lock = join(cluster, 'postmaster.pid');
  // A power cut at the moment of its creation leaves a lock file empty.
  const { size, mtimeMs } = await stat(lock).catch(() => ({ size: 1, mtimeMs: 0 }));
  if (size === 0 && Math.abs(Date.now() - mtimeMs) > emptyLockMs) await rm(lock, { force: true });
  // The lock file of the data protects the socket too.
  await rm(join(socket, '.s.PGSQL.5432.lock'), { force: true });
  const pid = await readPid(lock);
  return pid > 0 && (await commandOf(pid)).includes(`-D ${cluster} -p 5432 `) ? 0 : pid;
}

/** The process id in a lock file; 0 without one. The process may have ended. */
export async function readPid(lockFile: string): Promise<number> {
  const content = await readFile(lockFile, 'utf8').catch(() => '');
  return Number.parseInt(content, 10) || 0;
}

/** The command line of a process; empty when it has ended. */
async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return command.replaceAll('\0', ' ');
  }
  const ps = promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
  return ps.then(({ stdout }) => stdout).catch(() => '');
}
