import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { attachEmbeddedPostgres, embeddedPostgresUrl, startEmbeddedPostgres } from '@petstore/embedded-postgres';
import { checkMigrations, migrate } from '@petstore/migrate';
import type { Config } from '../config/config.js';
import { backUpBefore } from './backup/backup-before-migration.js';
import type { BackupPlan } from './backup/backup-plan.js';
import type { BackupOptions } from './backup/write-backup.js';
import { checkCapacity } from './check-capacity.js';
import { checkConnections } from './check-connections.js';
import type { DatabaseRights } from './check-rights.js';
import { withLibpqSslModes } from './connection-url.js';
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

/** What the features keep in the database. */
export interface DatabaseContent {
  rights: DatabaseRights;
  backup: BackupPlan;
}

const checkSchema = (url: string) => checkMigrations(url, migrationsDirectory);

/** For the service: opens the database of `DATABASE_URL`, or starts the embedded one. */
export async function openDatabase(config: Config, log: Log, content: DatabaseContent): Promise<OpenDatabase> {
  const database = await start(config, log, startEmbeddedPostgres);
  return prepared(database, async () => {
    if (config.migrateOnStart) await applyMigrations(database, config, { log, plan: content.backup });
    else await checkSchema(database.url);
    await checkExternal(database, config, content.rights);
    if (config.webConcurrency > 1) await checkCapacity(database.url, config);
  });
}

/** For one of several processes of the service: the first process opens, checks and closes the database. */
export async function openedDatabase({ databaseUrl, dataDir }: Config): Promise<OpenDatabase> {
  const isEmbedded = databaseUrl === undefined;
  const url = isEmbedded ? await embeddedPostgresUrl(dataDir) : withLibpqSslModes(databaseUrl);
  return { url, isEmbedded, close: () => Promise.resolve() };
}

/** For a command that may run while the service runs. It neither creates nor migrates a database. */
export async function attachDatabase(config: Config, log: Log, rights: DatabaseRights): Promise<OpenDatabase> {
  // Throws when there is no database. The start of the embedded PostgreSQL would create it.
  if (config.databaseUrl === undefined) await embeddedPostgresUrl(config.dataDir);
  return closeOnSignal(async () => {
    const database = await start(config, log, attachEmbeddedPostgres);
    return prepared(database, async () => {
      await checkSchema(database.url);
      await checkExternal(database, config, rights);
    });
  });
}

/** Creates the embedded database if needed, and applies all migrations. */
export async function migrateDatabase(config: Config, log: Log, plan: BackupPlan): Promise<void> {
  const database = await closeOnSignal(async () => {
    const started = await start(config, log, attachEmbeddedPostgres);
    return prepared(started, () => applyMigrations(started, config, { log, plan }));
  });
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

async function start(
  { databaseUrl, dataDir }: Config,
  log: Log,
  startEmbedded: typeof startEmbeddedPostgres,
): Promise<OpenDatabase> {
  if (databaseUrl !== undefined) {
    return { url: withLibpqSslModes(databaseUrl), isEmbedded: false, close: () => Promise.resolve() };
  }
  const database = await startEmbedded({ dataDir, log });
  return { url: database.url, isEmbedded: true, close: () => database.close() };
}

/** Backs up an embedded database first. The administrator of another server decides when to back it up. */
async function applyMigrations(
  { url, isEmbedded }: OpenDatabase,
  { dataDir }: Config,
  { log, plan }: Omit<BackupOptions, 'url'>,
): Promise<void> {
  const directory = resolve(dataDir, 'backups');
  const beforeFirst = (name: string) => backUpBefore(name, directory, { url, plan, log });
  await migrate(url, { directory: migrationsDirectory, log, ...(isEmbedded && { beforeFirst }) });
}

/** Closes the database if its preparation fails. */
async function prepared(database: OpenDatabase, prepare: () => Promise<unknown>): Promise<OpenDatabase> {
  try {
    await prepare();
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** The embedded database has its owner as role and no pooler. */
async function checkExternal({ url, isEmbedded }: OpenDatabase, config: Config, rights: DatabaseRights): Promise<void> {
  if (isEmbedded) return;
  await checkConnections({ url, statementTimeoutMs: config.databaseStatementTimeoutMs, rights });
}
