import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open, readFile, rm, stat, statfs, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { launch } from './account.js';
import { findBinaries } from './cluster.js';
import type { DataDirectory } from './data-directory.js';
import {
  directoryError,
  EmbeddedPostgresError,
  executionError,
  inUseError,
  programError,
} from './embedded-postgres-error.js';

const inUseRetryMs = 60_000;
const signalRetryMs = 10_000;
const abortMs = 5_000;

/** Starts PostgreSQL in its own process group: a signal to our group does not stop it while requests are still running. */
export async function startPostmaster(directory: DataDirectory): Promise<Postmaster> {
  const { postgres } = await findBinaries();
  const env = await removeStaleLocks(directory);
  const log = await openLog(directory);
  const { size } = await log.stat();
  const stdio = ['ignore', log.fd, log.fd] as const;
  const child = launch(directory.account, [postgres, ...serverOptions(directory)], {
    stdio: [...stdio],
    detached: true,
    env,
  });
  child.unref();
  await log.close();
  return new Postmaster(child, directory, size);
}

interface Failure {
  readonly error: EmbeddedPostgresError;
  /** How long after the first attempt a retry may succeed. */
  readonly retryMs: number;
}

/** PostgreSQL's first process, the parent of all others, when this process started it. */
export class Postmaster {
  #executionFailure: Error | undefined;

  constructor(
    private readonly child: ChildProcess,
    private readonly directory: DataDirectory,
    private readonly logBegin: number,
  ) {
    child.once('error', (error) => (this.#executionFailure = error));
  }

  /** Returns why it ended; `undefined` while it runs. */
  async failure(): Promise<Failure | undefined> {
    if (this.#executionFailure) return { error: executionError(this.#executionFailure), retryMs: 0 };
    if (!this.#hasEnded()) return undefined;
    const { root } = this.directory;
    const output = await readLog(this.directory, this.logBegin);
    // Another process started or is stopping PostgreSQL, or processes of a killed one still run crash recovery.
    if (/pre-existing shared memory block|lock file ".*" (already exists|is empty)|old lock file/.test(output)) {
      return { error: inUseError(root, output), retryMs: inUseRetryMs };
    }
    const { exitCode, signalCode } = this.child;
    if (exitCode !== 0 && signalCode === null) return { error: programError(root, output), retryMs: 0 };
    // The last other process stopped it, or a signal killed it.
    const ending = `${output}\nFATAL: ended by ${signalCode ?? 'request'}`;
    return { error: programError(root, ending), retryMs: signalRetryMs };
  }

  /** Ends a PostgreSQL that is still starting and may not have a lock file yet. */
  async abort(): Promise<void> {
    if (this.#hasEnded()) return;
    this.child.ref();
    this.child.kill('SIGINT');
    await once(this.child, 'exit', { signal: AbortSignal.timeout(abortMs) }).catch(() => undefined);
  }

  #hasEnded(): boolean {
    const { pid, exitCode, signalCode } = this.child;
    return pid === undefined || exitCode !== null || signalCode !== null;
  }
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

type ClusterDirectory = Pick<DataDirectory, 'cluster'>;

const emptyLockMs = 2_000;
const stopMs = 10_000;

/** Stops the PostgreSQL of the directory, if one runs, and waits until it has ended. */
export async function stopPostmaster(directory: ClusterDirectory): Promise<void> {
  const pid = await readPid(join(directory.cluster, 'postmaster.pid'));
  // "Fast" shutdown, then "immediate" shutdown, which leaves crash recovery to the next start. Both keep all data.
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!(await isPostmaster(pid, directory))) return;
    sendSignal(pid, signal);
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
async function removeStaleLocks(directory: DataDirectory): Promise<Record<string, string>> {
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
async function isPostmaster(pid: number, { cluster }: ClusterDirectory): Promise<boolean> {
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

/** Sends a signal, unless the process has ended. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const limitBytes = 10 * 1024 * 1024;

async function openLog({ log: path, root, account }: DataDirectory): Promise<FileHandle> {
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
async function readLog({ log, root }: DataDirectory, begin: number): Promise<string> {
  const output = (await readFile(log)).subarray(begin).toString();
  const isFull = output === '' && (await statfs(root)).bavail === 0;
  return isFull ? 'FATAL: No space left on device' : output;
}
