import { access, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ensureCluster, findBinaries } from './cluster.js';
import { databaseUrl, forgetLibpqVariables, superuserUrl } from './connection.js';
import { type DataDirectory, findDataDirectory, openDataDirectory } from './data-directory.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { closeSession, openSession } from './session.js';
import { Supervisor } from './supervisor.js';

export { syncDirectory } from './cluster.js';
export { sendSignal, startPostmaster } from './postmaster.js';
export { databaseUrl, findDataDirectory, superuserUrl, EmbeddedPostgresError };

/** Where the data is. */
export interface EmbeddedPostgresOptions {
  /** Created unless it exists. */
  readonly dataDir: string;
  /** Receives a line for each slow or unexpected event. */
  readonly log: (message: string) => void;
}

/** Of the service. */
interface StartOptions extends EmbeddedPostgresOptions {
  /** Cancels the wait for PostgreSQL. */
  readonly signal?: AbortSignal | undefined;
  /** Receives a line when PostgreSQL stops unexpectedly, and when it does not start again. Default: `log`. */
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
export async function startEmbeddedPostgres({ signal, onCrash, ...options }: StartOptions): Promise<EmbeddedPostgres> {
  const supervisor = new Supervisor({ directory: await prepareDirectory(options), log: options.log, onCrash });
  await supervisor.open(signal);
  return supervisor;
}

/**
 * For commands: uses the PostgreSQL of a running service, or starts one. `close` stops it unless other processes use it.
 * @throws EmbeddedPostgresError when PostgreSQL cannot start.
 */
export async function attachEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const directory = await prepareDirectory(options);
  const client = await openSession({ directory, log: options.log, name: `petstore-command ${process.pid}` });
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
    const root = await realpath(await findDataDirectory(resolve(dataDir)));
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
  await findBinaries();
  const directory = await openDataDirectory(dataDir, log);
  await ensureCluster(directory, log);
  return directory;
}
