import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { launch } from './account.js';
import { findBinaries } from './binaries.js';
import type { DataDirectory } from './data-directory.js';
import { type EmbeddedPostgresError, executionError, inUseError, programError } from './embedded-postgres-error.js';
import { removeStaleLocks } from './lock-files.js';
import { openLog, readLog } from './postgres-log.js';

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
