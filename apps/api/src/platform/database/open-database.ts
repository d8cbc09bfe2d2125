import { mkdir } from 'node:fs/promises';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import {
  attachEmbeddedPostgres,
  embeddedPostgresUrl,
  hasDatabase,
  startEmbeddedPostgres,
} from '@petstore/embedded-postgres';
import { ExplainedError } from '@petstore/contracts';
import { checkMigrations, migrate } from '@petstore/migrate';
import type { Config } from '../config/config.js';
import { commandLine, packageFolder } from '../product.js';
import { waitForStopSignal } from '../stop-signals.js';
import { backUpInto, findBackup } from './backup/backup-directory.js';
import { checkRights } from './check-rights.js';
import { withConnection } from './connection.js';

/** The directory `prisma/` of the repository. */
export const prismaDirectory = join(packageFolder, '../../prisma');
export const migrationsDirectory = join(prismaDirectory, 'migrations');

/** A database that responds and has the schema of this version. */
export interface OpenDatabase {
  readonly url: string;
  /** How often an embedded database stopped unexpectedly. */
  readonly crashes?: number;
  /** Stops an embedded database if nothing else uses it. */
  close(): Promise<void>;
}

type Print = (message: string) => void;

interface OpenLog {
  /** Prints a line for the person who started the service or command. */
  print: Print;
  warn: Print;
  /** Receives a line when the embedded PostgreSQL stops unexpectedly. */
  error?: Print;
}

/**
 * For the service: opens the database of `DATABASE_URL`, or starts the embedded one. `signal` cancels the wait for an
 * embedded one that does not respond.
 * @throws ExplainedError if it would create a database although BACKUP_DIRECTORY has a backup
 */
export async function openDatabase(config: Config, log: OpenLog, signal?: AbortSignal): Promise<OpenDatabase> {
  if (config.databaseUrl === undefined && !(await hasDatabase(config.dataDir))) await rejectLostDatabase(config);
  return open({ config, log, startEmbedded: startEmbeddedPostgres, signal }, async (database) => {
    if (config.migrateOnStart) await applyMigrations(database, config, log);
    else await checkSchema(database, log.warn);
    if (config.databaseUrl !== undefined) await checkRights(database.url);
  });
}

class LostDatabaseError extends ExplainedError {
  /** A restart does not help. */
  override readonly exitCode = 78;
}

/** DATA_DIR may be an empty mount point. `migration apply` creates a database nevertheless: a restore needs it. */
async function rejectLostDatabase(config: Config): Promise<void> {
  const backup = await findBackup(config);
  if (backup === undefined) return;
  throw new LostDatabaseError(
    `There is no database in ${resolve(config.dataDir)}, but BACKUP_DIRECTORY has the backup ${backup}. If a disk is missing, ` +
      'mount it and start again. If the data is lost, run these commands with the same DATA_DIR, then start again:\n' +
      `  ${commandLine('migration apply')}\n  ${commandLine(`restore "${backup}"`)}\n` +
      'For a new store, set BACKUP_DIRECTORY to another directory.',
  );
}

interface OpenOptions {
  config: Config;
  log: OpenLog;
  startEmbedded: typeof startEmbeddedPostgres;
  signal?: AbortSignal | undefined;
}

type Prepare = (database: OpenDatabase) => Promise<void>;

/** Closes the database if its preparation fails. */
async function open({ config, log, startEmbedded, signal }: OpenOptions, prepare: Prepare): Promise<OpenDatabase> {
  const { databaseUrl: url, dataDir } = config;
  const database =
    url === undefined
      ? await startEmbedded({ dataDir, log: log.print, onCrash: log.error, signal })
      : { url, close: () => Promise.resolve() };
  try {
    await prepare(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

async function checkSchema({ url }: OpenDatabase, warn: Print): Promise<void> {
  const warning = await checkMigrations(url, migrationsDirectory);
  if (warning !== undefined) warn(warning);
}

async function applyMigrations({ url }: OpenDatabase, config: Config, log: OpenLog): Promise<void> {
  const beforeFirst = async (name: string) => {
    // The connection of this query also rejects a standby.
    const hasData = !(await isNew(url));
    // The administrator of another server decides when to back it up.
    if (hasData && config.databaseUrl === undefined) await backUpBefore(name, url, config, log.print);
  };
  await migrate(url, { directory: migrationsDirectory, log: log.print, warn: log.warn, beforeFirst });
}

/** A new database has nothing to back up. */
function isNew(url: string): Promise<boolean> {
  return withConnection(url, async (client) => {
    const { rows } = await client.query<{ isNew: boolean }>(
      `SELECT to_regclass('_prisma_migrations') IS NULL AS "isNew"`,
    );
    return rows[0]?.isNew === true;
  });
}

async function backUpBefore(
  migration: string,
  url: string,
  { dataDir, backupDirectory, backupKeep: keep }: Config,
  print: Print,
): Promise<void> {
  const target = { directory: resolve(backupDirectory ?? join(dataDir, 'backups')), keep };
  if (backupDirectory === undefined) await mkdir(target.directory, { recursive: true, mode: 0o700 });
  print(`Backing up the database to ${target.directory} before the migration ${migration}.`);
  await backUpInto(target, url);
}

// For commands, which may run while the service runs.

/**
 * Opens the database for `use`, then closes it. Neither creates nor migrates a database. With `exactSchema`, the database must
 * not have migrations of a newer version.
 */
export async function withDatabase<Result>(
  config: Config,
  use: (url: string) => Promise<Result>,
  { exactSchema = false } = {},
): Promise<Result> {
  // Throws when there is no database. The start of the embedded PostgreSQL would create it.
  if (config.databaseUrl === undefined) await embeddedPostgresUrl(config.dataDir);
  // Standard output holds only the result of the command.
  const print = (message: string) => console.error(message);
  const database = await attach(config, print, async (opened) => {
    await checkSchema(opened, exactSchema ? rejectNewer : print);
    if (config.databaseUrl !== undefined) await checkRights(opened.url);
  });
  return closeAfter(database, use);
}

function rejectNewer(warning: string): never {
  throw new ExplainedError(`${warning} This command needs the version that migrated the database.`);
}

/** Creates the embedded database if needed, applies all migrations, and opens the database for `use`. */
export async function withMigratedDatabase<Result>(
  config: Config,
  print: Print,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const prepare = (opened: OpenDatabase) => applyMigrations(opened, config, { print, warn: print });
  return closeAfter(await attach(config, print, prepare), use);
}

async function closeAfter<Result>(database: OpenDatabase, use: (url: string) => Promise<Result>): Promise<Result> {
  try {
    return await use(database.url);
  } finally {
    await database.close();
  }
}

/** Opens the database, whether or not the service runs. An interrupted command closes it before it exits. */
function attach(config: Config, print: Print, prepare: Prepare): Promise<OpenDatabase> {
  const opening = open({ config, log: { print, warn: print }, startEmbedded: attachEmbeddedPostgres }, prepare);
  void waitForStopSignal().then((signal) => {
    print('Stopping.');
    return opening.then((database) => database.close()).finally(() => process.exit(128 + constants.signals[signal]));
  });
  return opening;
}
