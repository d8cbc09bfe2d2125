import { constants } from 'node:os';
import { join } from 'node:path';
import { attachEmbeddedPostgres, embeddedPostgresUrl, startEmbeddedPostgres } from '@petstore/embedded-postgres';
import { checkMigrations, migrate } from '@petstore/migrate';
import type { Config } from '../config/config.js';
import { packageFolder } from '../process/package-folder.js';
import { stopSignal } from '../process/stop-signal.js';

/** The directory `prisma/` of the repository. */
export const prismaDirectory = join(packageFolder, '../../prisma');
export const migrationsDirectory = join(prismaDirectory, 'migrations');

/** A database that responds and has the schema of this version. */
export interface OpenDatabase {
  readonly url: string;
  readonly isEmbedded: boolean;
  /** Stops an embedded database unless other processes use it. */
  close(): Promise<void>;
}

type Log = (message: string) => void;
type Prepare = (url: string, log: Log) => Promise<unknown>;

const applyMigrations: Prepare = (url, log) => migrate(url, { directory: migrationsDirectory, log });
const checkSchema: Prepare = (url) => checkMigrations(url, migrationsDirectory);

/** For the service: opens the database of `DATABASE_URL`, or starts the embedded one. */
export function openDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  return open(config, log, startEmbeddedPostgres, config.migrateOnStart ? applyMigrations : checkSchema);
}

/** For a command that may run while the service runs. It neither creates nor migrates a database. */
export async function attachDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  // Throws when there is no database. The start of the embedded PostgreSQL would create it.
  if (config.databaseUrl === undefined) await embeddedPostgresUrl(config.dataDir);
  return closeOnSignal(() => open(config, log, attachEmbeddedPostgres, checkSchema));
}

/** Creates the embedded database if needed, and applies all migrations. */
export async function migrateDatabase(config: Config, log: Log): Promise<void> {
  const database = await closeOnSignal(() => open(config, log, attachEmbeddedPostgres, applyMigrations));
  await database.close();
}

/** An interrupted command closes the database before it exits. */
async function closeOnSignal(openIt: () => Promise<OpenDatabase>): Promise<OpenDatabase> {
  const interruption = { isPending: false };
  const stopped = stopSignal().finally(() => (interruption.isPending = true));
  const database = await openIt();
  const ended = stopped.then((signal) => database.close().finally(() => process.exit(128 + constants.signals[signal])));
  if (interruption.isPending) await ended;
  return database;
}

async function open(config: Config, log: Log, start: typeof startEmbeddedPostgres, prepare: Prepare) {
  const { databaseUrl, dataDir } = config;
  const isEmbedded = databaseUrl === undefined;
  const database = isEmbedded ? await start({ dataDir, log }) : { url: databaseUrl, close: () => Promise.resolve() };
  try {
    await prepare(database.url, log);
  } catch (error) {
    await database.close();
    throw error;
  }
  return { url: database.url, isEmbedded, close: () => database.close() };
}
