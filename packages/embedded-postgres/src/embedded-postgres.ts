import { access, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { ensureCluster } from './cluster.js';
import { databaseUrl, forgetLibpqVariables } from './connection.js';
import { type DataDirectory, openDataDirectory } from './data-directory.js';
import { directoryError, EmbeddedPostgresError } from './embedded-postgres-error.js';
import { findPrograms, truncateLog } from './postgres-programs.js';
import { stopPostmaster } from './postmaster.js';
import { closeSession, openSession } from './session.js';

export { syncDirectory } from './cluster.js';
export { startPostmaster } from './postmaster.js';
export { databaseUrl, EmbeddedPostgresError };

export interface EmbeddedPostgresOptions {
  /** Where the data is. Created unless it exists. */
  readonly dataDir: string;
  /** Receives a line for each slow or unexpected event. */
  readonly log: (message: string) => void;
  /** For the service. Cancels the wait for PostgreSQL. */
  readonly signal?: AbortSignal | undefined;
  /** For the service. Receives a line when PostgreSQL stops unexpectedly, or does not start again. Default: `log`. */
  readonly onCrash?: ((message: string) => void) | undefined;
}

/** A running PostgreSQL. */
export interface EmbeddedPostgres {
  /** For pg, Prisma and psql, over a unix socket, as the owner of the database. It never changes for a data directory. */
  readonly url: string;
  /** How often it stopped unexpectedly. Only the service knows. */
  readonly crashes?: number;
  /** Safe to call more than once. */
  close(): Promise<void>;
}

/**
 * For the service: starts PostgreSQL, restarts it when it stops unexpectedly, and stops it on `close`.
 * @throws EmbeddedPostgresError when another service uses the data directory, or PostgreSQL cannot start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, onCrash = log, signal } = options;
  const service = new ServicePostgres(await prepareDirectory(options), log, onCrash);
  await service.open(signal);
  return service;
}

/**
 * For commands: uses the PostgreSQL of a running service, or starts one. `close` stops it unless other processes use it.
 * @throws EmbeddedPostgresError when PostgreSQL cannot start.
 */
export async function attachEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const directory = await prepareDirectory(options);
  const client = await openSession({ directory, log: options.log, role: 'command' });
  let closed: Promise<void> | undefined;
  return {
    url: databaseUrl(directory.root),
    close: () => (closed ??= closeSession(client, directory)),
  };
}

/**
 * Returns the URL of a data directory's database, whether it runs or not.
 * @throws EmbeddedPostgresError when the database has not been created.
 */
export async function embeddedPostgresUrl(dataDir: string): Promise<string> {
  forgetLibpqVariables();
  try {
    const root = await realpath(dataDir);
    await access(join(root, 'postgres'));
    return databaseUrl(root);
  } catch (cause) {
    const message =
      `There is no database in ${resolve(dataDir)}. Correct DATA_DIR, or start the service once. ` +
      'Before a restore, run "npm run migration:apply" instead.';
    throw new EmbeddedPostgresError(message, { cause });
  }
}

/** Creates the data directory and its cluster unless they exist. Starts nothing. */
export async function prepareDirectory({ dataDir, log }: EmbeddedPostgresOptions): Promise<DataDirectory> {
  forgetLibpqVariables();
  await findPrograms();
  try {
    const directory = await openDataDirectory(dataDir, log);
    await ensureCluster(directory, log);
    return directory;
  } catch (error) {
    throw directoryError(resolve(dataDir), error);
  }
}

const firstRetryMs = 1_000;
const longestRetryMs = 10_000;
const truncateMs = 3_600_000;

class ServicePostgres implements EmbeddedPostgres {
  readonly url: string;
  crashes = 0;
  readonly #closing = new AbortController();
  /** `undefined` while PostgreSQL is down. */
  #session: Client | undefined;
  #restarting: Promise<void> | undefined;

  constructor(
    private readonly directory: DataDirectory,
    private readonly log: (message: string) => void,
    private readonly onCrash: (message: string) => void,
  ) {
    this.url = databaseUrl(directory.root);
    setInterval(() => void truncateLog(directory.log).catch(() => undefined), truncateMs).unref();
  }

  async open(signal = this.#closing.signal): Promise<void> {
    const session = await openSession({ directory: this.directory, log: this.log, role: 'service', signal });
    this.#session = session;
    session.once('end', () => {
      this.#session = undefined;
      if (!this.#closing.signal.aborted) this.#restarting = this.#restart();
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#restarting;
    // The session ends with PostgreSQL: no other service takes the lock meanwhile.
    if (this.#session) await stopPostmaster(this.directory);
  }

  async #restart(): Promise<void> {
    const { signal } = this.#closing;
    this.crashes += 1;
    this.onCrash('PostgreSQL stopped unexpectedly. Restarting it.');
    for (let retryMs = firstRetryMs; !signal.aborted; retryMs = Math.min(2 * retryMs, longestRetryMs)) {
      try {
        await this.open();
        return this.log('PostgreSQL is running again.');
      } catch (error) {
        if (!signal.aborted) this.onCrash(`${(error as Error).message} The next attempt is in ${retryMs / 1_000} s.`);
      }
      await sleep(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
