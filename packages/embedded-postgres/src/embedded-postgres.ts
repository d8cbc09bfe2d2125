import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { databaseName, ensureCluster, serviceRole } from './cluster.js';
import { type DataDirectory, openDataDirectory, socketDirectory } from './data-directory.js';
import { directoryError, EmbeddedPostgresError, ignoreMissing } from './embedded-postgres-error.js';
import { findPrograms } from './postgres-programs.js';
import { stopPostmaster } from './postmaster.js';
import { mustStopPostgres, openSession, type Role } from './session.js';

export { syncDirectory } from './cluster.js';
export { startPostmaster } from './postmaster.js';
export { EmbeddedPostgresError };

type Log = (message: string) => void;

/** How to open a data directory. */
export interface EmbeddedPostgresOptions {
  /** Where the data is. Created unless it exists. */
  readonly dataDir: string;
  /** Receives a line for each slow or unexpected event. */
  readonly log: Log;
  /** Cancels the wait for PostgreSQL. */
  readonly signal?: AbortSignal | undefined;
  /** Receives a line when PostgreSQL stops unexpectedly, or does not start again. Default: `log`. */
  readonly onCrash?: Log | undefined;
}

/**
 * For the service: starts PostgreSQL. `close` stops it unless commands use it: then the last one stops it.
 * @throws EmbeddedPostgresError when another service uses the data directory, or PostgreSQL cannot start.
 */
export function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  return open('service', options);
}

/**
 * For commands: uses the PostgreSQL of a running service, or starts one. `close` stops it unless other processes use it.
 * @throws EmbeddedPostgresError when PostgreSQL cannot start.
 */
export function attachEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  return open('command', options);
}

async function open(role: Role, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const postgres = new EmbeddedPostgres(await prepareDirectory(options), role, options);
  await postgres.open(options.signal);
  return postgres;
}

/**
 * Returns the URL of a data directory's database, whether it runs or not.
 * @throws EmbeddedPostgresError when the database has not been created.
 */
export async function embeddedPostgresUrl(dataDir: string): Promise<string> {
  if (await hasDatabase(dataDir)) return databaseUrl(await realpath(dataDir));
  throw new EmbeddedPostgresError(
    `There is no database in ${resolve(dataDir)}. Correct DATA_DIR, or start the service once. ` +
      'Before a restore, run the command "migration apply" instead.',
  );
}

/**
 * Whether the database of a data directory has been created.
 * @throws EmbeddedPostgresError when the operating system does not show that, for example to another user.
 */
export async function hasDatabase(dataDir: string): Promise<boolean> {
  const path = resolve(dataDir);
  try {
    return (await stat(join(path, 'postgres/PG_VERSION')).catch(ignoreMissing)) !== undefined;
  } catch (error) {
    throw directoryError(path, error);
  }
}

/** Creates the data directory and its cluster unless they exist. Starts nothing. */
export async function prepareDirectory({ dataDir, log }: EmbeddedPostgresOptions): Promise<DataDirectory> {
  await findPrograms();
  try {
    const directory = await openDataDirectory(dataDir, log);
    await ensureCluster(directory, log);
    return directory;
  } catch (error) {
    throw directoryError(resolve(dataDir), error);
  }
}

/** `root` is the real path of the data directory. pg, Prisma and psql accept this URL. PGSSLMODE has no effect on it. */
export function databaseUrl(root: string): string {
  const host = encodeURIComponent(socketDirectory(root)).replaceAll('%2F', '/');
  return `postgres://${serviceRole}@localhost:5432/${databaseName}?host=${host}&sslmode=disable`;
}

const retryMs = 5_000;

/** A PostgreSQL that this process uses. The service restarts it when it stops unexpectedly. */
export class EmbeddedPostgres {
  /** For pg, Prisma and psql, over a unix socket, as the owner of the database. It never changes for a data directory. */
  readonly url: string;
  /** How often it stopped unexpectedly. */
  crashes = 0;
  readonly #log: Log;
  readonly #onCrash: Log;
  readonly #closing = new AbortController();
  /** `undefined` while PostgreSQL is down. */
  #session: Client | undefined;
  #restarting: Promise<void> | undefined;

  constructor(
    private readonly directory: DataDirectory,
    private readonly role: Role,
    { log, onCrash = log }: EmbeddedPostgresOptions,
  ) {
    this.url = databaseUrl(directory.root);
    this.#log = log;
    this.#onCrash = onCrash;
  }

  /** Starts PostgreSQL unless it runs. */
  async open(signal = this.#closing.signal): Promise<void> {
    const session = await openSession({ directory: this.directory, role: this.role, log: this.#log, signal });
    this.#session = session;
    session.once('end', () => {
      this.#session = undefined;
      if (this.role === 'service' && !this.#closing.signal.aborted) this.#restarting = this.#restart();
    });
  }

  /** A second call has no effect. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#restarting;
    const session = this.#session;
    if (!session) return;
    // The session ends with PostgreSQL: no other service takes the lock meanwhile.
    if (await mustStopPostgres(session, this.role)) await stopPostmaster(this.directory);
    await session.end();
  }

  async #restart(): Promise<void> {
    const { signal } = this.#closing;
    this.crashes += 1;
    this.#onCrash('PostgreSQL stopped unexpectedly. Restarting it.');
    while (!signal.aborted) {
      try {
        await this.open();
        return this.#log('PostgreSQL is running again.');
      } catch (error) {
        if (!signal.aborted) this.#onCrash(`${(error as Error).message} The next attempt is in ${retryMs / 1_000} s.`);
      }
      await sleep(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
