import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import {
  attachEmbeddedPostgres,
  type EmbeddedPostgres,
  embeddedPostgresUrl,
  startEmbeddedPostgres,
} from '@petstore/embedded-postgres';
import { ExplainedError } from '@petstore/contracts';
import { checkMigrations, migrate, MissingRightError } from '@petstore/migrate';
import type { Config } from '../config/config.js';
import { packageFolder } from '../product.js';
import { waitForStopSignal } from '../stop-signals.js';
import { backUpInto, rejectLostData } from './backup/backup-directory.js';
import { type BackupPlan, hasAnimals } from './backup/write-backup.js';
import { checkConnections, checkRights, type DatabaseRights } from './check-connections.js';
import { withLibpqSslModes } from './pool.js';

/** A database that responds and has the schema of this version. */
export interface OpenDatabase {
  readonly url: string;
  /** That of an embedded database. */
  readonly directory?: string;
  /** How often an embedded database stopped unexpectedly. */
  readonly crashes?: number;
  /** Stops an embedded database unless other processes use it. */
  close(): Promise<void>;
}

type Log = (message: string) => void;

export interface StartLog {
  /** Prints a line for the person who started the service. */
  print: Log;
  warn: Log;
  /** Receives a line when the embedded PostgreSQL stops unexpectedly. */
  error: Log;
}

/** What the features keep in the database. */
export interface DatabaseContent {
  rights: DatabaseRights;
  backup: BackupPlan;
}

/**
 * For the service: opens the database of `DATABASE_URL`, or starts the embedded one. `signal` cancels the wait for an
 * embedded one that does not respond.
 * @throws LostDataError if it has no animals, and a backup in BACKUP_DIRECTORY has
 */
export async function openDatabase(
  config: Config,
  log: StartLog,
  content: DatabaseContent,
  signal?: AbortSignal,
): Promise<OpenDatabase> {
  // Before the start creates the database: the directory may be an empty mount point.
  if (config.databaseUrl === undefined && !hasEmbeddedDatabase(config)) await rejectLostData(config);
  return start(
    { config, log: log.print, onCrash: log.error, startEmbedded: startEmbeddedPostgres, signal },
    async (database) => {
      const rejectEmptied = async () => {
        if (!(await hasAnimals(database.url, content.backup))) await rejectLostData(config);
      };
      await allowed(database, content.rights, () =>
        config.migrateOnStart
          ? applyMigrations(database, { config, log, plan: content.backup, beforeFirst: rejectEmptied })
          : checkSchema(database, log.warn),
      );
      await checkExternal(database, config, content.rights);
      await rejectEmptied();
    },
  );
}

function hasEmbeddedDatabase({ dataDir }: Config): boolean {
  return existsSync(join(resolve(dataDir), 'postgres/PG_VERSION'));
}

interface OpenDatabaseOptions {
  config: Config;
  log: Log;
  onCrash?: Log;
  startEmbedded: typeof startEmbeddedPostgres;
  signal?: AbortSignal | undefined;
}

/** Closes the database if its preparation fails. */
async function start(
  { config: { databaseUrl, dataDir }, log, onCrash, startEmbedded, signal }: OpenDatabaseOptions,
  prepare: (database: OpenDatabase) => Promise<unknown>,
): Promise<OpenDatabase> {
  const database =
    databaseUrl === undefined
      ? embeddedDatabase(await startEmbedded({ dataDir, log, onCrash, signal }), dataDir)
      : externalDatabase(databaseUrl);
  try {
    await prepare(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

function embeddedDatabase(postgres: EmbeddedPostgres, dataDir: string): OpenDatabase {
  return {
    url: postgres.url,
    directory: dataDir,
    get crashes() {
      return postgres.crashes ?? 0;
    },
    close: () => postgres.close(),
  };
}

function externalDatabase(databaseUrl: string): OpenDatabase {
  return { url: withLibpqSslModes(databaseUrl), close: () => Promise.resolve() };
}

async function checkSchema({ url }: OpenDatabase, warn: Log): Promise<void> {
  const warning = await checkMigrations(url, migrationsDirectory);
  if (warning !== undefined) warn(warning);
}

interface MigrationOptions {
  config: Config;
  log: Pick<StartLog, 'print' | 'warn'>;
  plan: BackupPlan;
  /** Runs before the first pending migration. */
  beforeFirst?: () => Promise<void>;
}

/** Backs up an embedded database first. The administrator of another server decides when to back it up. */
async function applyMigrations(database: OpenDatabase, options: MigrationOptions): Promise<void> {
  const { print, warn } = options.log;
  const beforeFirst = async (name: string) => {
    await options.beforeFirst?.();
    await backUpBefore(name, database, options);
  };
  await migrate(database.url, { directory: migrationsDirectory, log: print, warn, beforeFirst });
}

async function backUpBefore(
  migration: string,
  { url, directory }: OpenDatabase,
  { config: { backupDirectory, backupKeep: keep }, log: { print, warn }, plan }: MigrationOptions,
): Promise<void> {
  if (directory === undefined || !(await hasAnimals(url, plan))) return;
  const target = { directory: resolve(backupDirectory ?? join(directory, 'backups')), keep };
  print(`Backing up the database to ${target.directory} before the migration ${migration}.`);
  const { warning } = await backUpInto(target, { url, plan });
  // The migration runs nevertheless: it may be part of a restore.
  if (warning !== undefined) warn(warning);
}

/** Runs a step that fails at the first missing right. The error then names all of them. */
async function allowed({ url }: OpenDatabase, rights: DatabaseRights, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (error instanceof MissingRightError) await checkRights(url, rights);
    throw error;
  }
}

/** The embedded database has its owner as role and no pooler. */
async function checkExternal({ url, directory }: OpenDatabase, config: Config, rights: DatabaseRights): Promise<void> {
  if (directory !== undefined) return;
  await checkConnections({ url, statementTimeoutMs: config.databaseStatementTimeoutMs, rights });
}

// For commands, which may run while the service runs.

interface CommandNeeds {
  rights: DatabaseRights;
  /** Whether the database must not have migrations of a newer version. */
  exactSchema?: boolean;
}

/** Opens the database for `use`, then closes it. Neither creates nor migrates a database. */
export async function withDatabase<Result>(
  config: Config,
  { rights, exactSchema = false }: CommandNeeds,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  // Throws when there is no database. The start of the embedded PostgreSQL would create it.
  if (config.databaseUrl === undefined) await embeddedPostgresUrl(config.dataDir);
  // Standard output holds only the result of the command.
  const log = (message: string) => console.error(message);
  const database = await closeOnSignal(() =>
    start({ config, log, startEmbedded: attachEmbeddedPostgres }, async (started) => {
      await allowed(started, rights, () => checkSchema(started, exactSchema ? rejectNewer : log));
      await checkExternal(started, config, rights);
    }),
  );
  try {
    return await use(database.url);
  } finally {
    await database.close();
  }
}

function rejectNewer(warning: string): never {
  throw new ExplainedError(`${warning} This command needs the version that migrated the database.`);
}

/** Creates the embedded database if needed, and applies all migrations. */
export async function migrateDatabase(config: Config, log: Log, plan: BackupPlan): Promise<void> {
  const database = await closeOnSignal(() =>
    start({ config, log, startEmbedded: attachEmbeddedPostgres }, (started) =>
      applyMigrations(started, { config, log: { print: log, warn: log }, plan }),
    ),
  );
  await database.close();
}

/** An interrupted command closes the database before it exits. */
async function closeOnSignal(open: () => Promise<OpenDatabase>): Promise<OpenDatabase> {
  const interruption = { isPending: false };
  const stopped = waitForStopSignal().finally(() => (interruption.isPending = true));
  const database = await open();
  const ended = stopped.then((signal) => database.close().finally(() => process.exit(128 + constants.signals[signal])));
  if (interruption.isPending) await ended;
  return database;
}

/** The directory `prisma/` of the repository. */
export const prismaDirectory = join(packageFolder, '../../prisma');
export const migrationsDirectory = join(prismaDirectory, 'migrations');
