import { constants } from 'node:os';
import type { Config } from '../config/config.js';
import { ownEmbeddedPostgres, visitEmbeddedPostgres } from './embedded/embedded-postgres.js';
import { checkMigrated, migrate } from './migrations/migrate.js';
import { migrationsDirectory } from './migrations/migration-files.js';
import { stopSignal } from '../process/stop-signal.js';

/** A database that is there and has the schema of this version. */
export interface OpenDatabase {
  readonly url: string;
  readonly isEmbedded: boolean;
  /** Lets go of it; an embedded one is stopped when nobody else needs it. */
  close(): Promise<void>;
}

type Log = (message: string) => void;

/** For the service: the one of `DATABASE_URL`, or an embedded one that this process then owns. */
export function openDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  return open(config, log, ownEmbeddedPostgres);
}

/** For a command that runs beside the service. One that is interrupted lets go of the database before it ends. */
export async function visitDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  const visit = { isInterrupted: false };
  const stopped = stopSignal().finally(() => (visit.isInterrupted = true));
  const database = await open(config, log, visitEmbeddedPostgres);
  const ended = stopped.then((signal) => database.close().finally(() => process.exit(128 + constants.signals[signal])));
  if (visit.isInterrupted) await ended;
  return database;
}

async function open(config: Config, log: Log, embedded: typeof ownEmbeddedPostgres): Promise<OpenDatabase> {
  const { databaseUrl, dataDir, migrateOnStart } = config;
  const isEmbedded = databaseUrl === undefined;
  const database = isEmbedded ? await embedded({ dataDir, log }) : given(databaseUrl);
  try {
    if (migrateOnStart) await migrate(database.url, { directory: migrationsDirectory, log });
    else await checkMigrated(database.url, migrationsDirectory);
  } catch (error) {
    await database.close();
    throw error;
  }
  return { url: database.url, isEmbedded, close: () => database.close() };
}

function given(url: string) {
  return { url, close: () => Promise.resolve() };
}
