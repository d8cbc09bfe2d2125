import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { launch } from './account.js';
import { findBinaries } from './binaries.js';
import type { DataFolder } from './data-folder.js';
import { type EmbeddedPostgresError, heldError, launchError, programError } from './embedded-postgres.error.js';
import { passStaleLocks } from './lock-files.js';
import { openLog, readLog } from './postgres-log.js';

const heldMs = 60_000;
const endedMs = 10_000;
const abandonMs = 5_000;

/** Starts PostgreSQL in a session of its own, so that a signal to our group leaves it to us to stop it. */
export async function startPostmaster(folder: DataFolder): Promise<Postmaster> {
  const { postgres } = await findBinaries();
  const env = await passStaleLocks(folder);
  const log = await openLog(folder);
  const { size } = await log.stat();
  const stdio = ['ignore', log.fd, log.fd] as const;
  const child = launch(folder.account, [postgres, ...options(folder)], { stdio: [...stdio], detached: true, env });
  child.unref();
  await log.close();
  return new Postmaster(child, folder, size);
}

/** Why a postmaster ended that was to start. */
export interface Failure {
  readonly error: EmbeddedPostgresError;
  /** For how long it may still go well at another try. */
  readonly patienceMs: number;
}

/** A postmaster that this process started: PostgreSQL's first process, parent of all others. */
export class Postmaster {
  #launchFailure: Error | undefined;

  constructor(
    private readonly child: ChildProcess,
    private readonly folder: DataFolder,
    /** Where in the log its words begin. */
    private readonly logBegin: number,
  ) {
    child.once('error', (error) => (this.#launchFailure = error));
  }

  /** What ended it, once it has ended. */
  async failure(): Promise<Failure | undefined> {
    if (this.#launchFailure) return { error: launchError(this.#launchFailure), patienceMs: 0 };
    if (!this.#hasEnded()) return undefined;
    const { root } = this.folder;
    const said = await readLog(this.folder, this.logBegin);
    // Of several that start at once one is first; one that is stopping holds the data for a moment; and what is left of
    // one that was killed while it recovered the data first goes through all of it.
    if (/pre-existing shared memory block|lock file ".*" (already exists|is empty)|old lock file/.test(said)) {
      return { error: heldError(root, said), patienceMs: heldMs };
    }
    const { exitCode, signalCode } = this.child;
    if (exitCode !== 0 && signalCode === null) return { error: programError(root, said), patienceMs: 0 };
    // Stopped by another user who was the last to leave, or killed.
    return { error: programError(root, `${said}\nFATAL: ended by ${signalCode ?? 'request'}`), patienceMs: endedMs };
  }

  /** Ends it while it is still starting, when there may be no lock file yet to find it by. */
  async abandon(): Promise<void> {
    if (this.#hasEnded()) return;
    this.child.ref();
    this.child.kill('SIGINT');
    await once(this.child, 'exit', { signal: AbortSignal.timeout(abandonMs) }).catch(() => undefined);
  }

  #hasEnded(): boolean {
    const { pid, exitCode, signalCode } = this.child;
    return pid === undefined || exitCode !== null || signalCode !== null;
  }
}

function options({ cluster, socket }: DataFolder): string[] {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: `"${socket.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    // The service logs what fails, without the row data that PostgreSQL would add.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
  };
  const assignments = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', cluster, '-p', '5432', ...assignments];
}
