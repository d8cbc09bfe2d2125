import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { findBinaries } from './binaries.js';
import { ensureCluster } from './cluster.js';
import { databaseUrl } from './connection.js';
import { type DataFolder, openDataFolder } from './data-folder.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { Owner } from './owner.js';
import { closeSession, openSession } from './session.js';

export { EmbeddedPostgresError };

export interface EmbeddedPostgresOptions {
  /** Where the data is kept; made when it is missing. */
  readonly dataDir: string;
  /** Gets a line for what takes long or was not expected. */
  readonly log: (message: string) => void;
}

/** A PostgreSQL that runs beside this process for as long as somebody needs it. */
export interface EmbeddedPostgres {
  /** For pg, Prisma and psql, over a unix socket; the same for the life of the data folder. */
  readonly url: string;
  /** Lets go of it: the owner stops PostgreSQL, a visitor when nobody else uses it. May be called again. */
  close(): Promise<void>;
}

/**
 * For the service, the one owner of a data folder: a PostgreSQL that dies is started again.
 * @throws EmbeddedPostgresError when another service owns the folder, or PostgreSQL cannot be had.
 */
export async function ownEmbeddedPostgres({ dataDir, log }: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const owner = new Owner({ folder: await prepare({ dataDir, log }), log });
  await owner.open();
  return owner;
}

/**
 * For commands: beside a running service, or with a PostgreSQL started for the while.
 * @throws EmbeddedPostgresError when PostgreSQL cannot be had.
 */
export async function visitEmbeddedPostgres({ dataDir, log }: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = await prepare({ dataDir, log });
  const client = await openSession({ folder, log, name: `petstore-visitor ${process.pid}` });
  let closed: Promise<void> | undefined;
  return {
    url: databaseUrl(folder.root),
    close: () => (closed ??= closeSession(client, folder)),
  };
}

/**
 * The address of the database of a data folder, running or not.
 * @throws EmbeddedPostgresError when the folder does not exist.
 */
export async function embeddedPostgresUrl(dataDir: string): Promise<string> {
  const root = await realpath(resolve(dataDir)).catch(() => undefined);
  if (root !== undefined) return databaseUrl(root);
  throw new EmbeddedPostgresError(
    `There is no data folder ${resolve(dataDir)} yet: start the service once, or name another with DATA_DIR.`,
  );
}

// Once: what is made anew after that, because somebody removed it, would be an empty database in a running service.
async function prepare({ dataDir, log }: EmbeddedPostgresOptions): Promise<DataFolder> {
  await findBinaries();
  const folder = await openDataFolder(dataDir);
  await ensureCluster(folder, log);
  return folder;
}
