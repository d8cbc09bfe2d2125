import { resolve } from 'node:path';
import { type EmbeddedPostgres, embeddedPostgresUrl, startEmbeddedPostgres } from '@petstore/embedded-postgres';
import { checkMigrations, migrate } from '@petstore/migrate';
import type { Config } from '../config/config.js';
import { backUpBefore } from './backup/backup-before-migration.js';
import type { BackupPlan } from './backup/backup-plan.js';
import type { BackupOptions } from './backup/write-backup.js';
import { checkCapacity } from './check-capacity.js';
import { checkConnections } from './check-connections.js';
import type { DatabaseRights } from './check-rights.js';
import { withLibpqSslModes } from './connection-url.js';
import { migrationsDirectory } from './prisma-directory.js';

/** A database that responds and has the schema of this version. */
export interface OpenDatabase {
  readonly url: string;
  readonly isEmbedded: boolean;
  /** Stops an embedded database unless other processes use it. */
  close(): Promise<void>;
}

export type Log = (message: string) => void;

/** What the features keep in the database. */
export interface DatabaseContent {
  rights: DatabaseRights;
  backup: BackupPlan;
}

/** For the service: opens the database of `DATABASE_URL`, or starts the embedded one. */
export function openDatabase(config: Config, log: Log, content: DatabaseContent): Promise<OpenDatabase> {
  return start({ config, log, startEmbedded: startEmbeddedPostgres }, async (database) => {
    if (config.migrateOnStart) await applyMigrations(database, config, { log, plan: content.backup });
    else await checkSchema(database);
    await checkExternal(database, config, content.rights);
    if (config.webConcurrency > 1) await checkCapacity(database.url, config);
  });
}

/** For one of several processes of the service: the first process opens, checks and closes the database. */
export async function openedDatabase({ databaseUrl, dataDir }: Config): Promise<OpenDatabase> {
  if (databaseUrl !== undefined) return externalDatabase(databaseUrl);
  return { url: await embeddedPostgresUrl(dataDir), isEmbedded: true, close: () => Promise.resolve() };
}

interface StartOptions {
  config: Config;
  log: Log;
  startEmbedded: typeof startEmbeddedPostgres;
}

/** Closes the database if its preparation fails. */
export async function start(
  { config: { databaseUrl, dataDir }, log, startEmbedded }: StartOptions,
  prepare: (database: OpenDatabase) => Promise<unknown>,
): Promise<OpenDatabase> {
  const database =
    databaseUrl === undefined ? embeddedDatabase(await startEmbedded({ dataDir, log })) : externalDatabase(databaseUrl);
  try {
    await prepare(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

function embeddedDatabase(postgres: EmbeddedPostgres): OpenDatabase {
  return { url: postgres.url, isEmbedded: true, close: () => postgres.close() };
}

function externalDatabase(databaseUrl: string): OpenDatabase {
  return { url: withLibpqSslModes(databaseUrl), isEmbedded: false, close: () => Promise.resolve() };
}

export function checkSchema({ url }: OpenDatabase): Promise<void> {
  return checkMigrations(url, migrationsDirectory);
}

/** Backs up an embedded database first. The administrator of another server decides when to back it up. */
export async function applyMigrations(
  { url, isEmbedded }: OpenDatabase,
  { dataDir }: Config,
  { log, plan }: Omit<BackupOptions, 'url'>,
): Promise<void> {
  const directory = resolve(dataDir, 'backups');
  const beforeFirst = (name: string) => backUpBefore(name, directory, { url, plan, log });
  await migrate(url, { directory: migrationsDirectory, log, ...(isEmbedded && { beforeFirst }) });
}

/** The embedded database has its owner as role and no pooler. */
export async function checkExternal(
  { url, isEmbedded }: OpenDatabase,
  config: Config,
  rights: DatabaseRights,
): Promise<void> {
  if (isEmbedded) return;
  await checkConnections({ url, statementTimeoutMs: config.databaseStatementTimeoutMs, rights });
}
