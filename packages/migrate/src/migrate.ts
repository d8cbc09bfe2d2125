import { setTimeout } from 'node:timers/promises';
import { ExplainedError } from '@petstore/contracts';
import type { Client } from 'pg';
import { connect, type DatabaseConnection } from './connection.js';
import { compare, isForeign, readHistory, recordEnd, recordStart, recovery } from './history.js';
import { ConnectionError, MigrationError, MissingRightError, reason } from './migration-error.js';
import { type MigrationFile, readMigrations } from './migration-files.js';

export { ConnectionError, MigrationError, MissingRightError };

/** The advisory lock of Prisma's migrations: nothing changes the schema while a connection holds it. */
export const migrationLock = 72_707_369;

const lockPollMs = 200;

/** The options of `migrate`. */
export interface MigrateOptions {
  /** The directory of the migrations. */
  directory: string;
  log: (message: string) => void;
  /** Receives a warning if a newer version has migrated the database. Default: `log`. */
  warn?: (message: string) => void;
  /** How long to wait for a lock that another connection holds, in milliseconds. Default: 60,000. */
  lockTimeoutMs?: number;
  /** Receives the name of the first pending migration, before it runs and under the lock. An error cancels the migration. */
  beforeFirst?: (first: string) => Promise<void>;
}

/**
 * Applies the migrations that a database lacks, each in a transaction unless it is marked otherwise.
 * @returns the names of the applied migrations.
 * @throws MigrationError
 */
export async function migrate(url: string, options: MigrateOptions): Promise<string[]> {
  const work = { lockTimeoutMs: 60_000, ...options, files: await readMigrations(options.directory) };
  const connection = await connect(url);
  const { client } = connection;
  try {
    const history = await readHistory(client);
    // An unfinished migration may be running in another process, which then holds the lock.
    const isRunning = history.some(
      ({ name, isFinished }) => !isFinished && work.files.some((file) => file.name === name),
    );
    if (!isRunning) {
      const { pending, warning } = compare(history, work.files);
      if (warning !== undefined) (work.warn ?? work.log)(warning);
      if (pending.length === 0) return [];
    }
    if (connection.isPooled) throw throughPooler();
    await takeLock(client, work);
    const { pending } = compare(await readHistory(client), work.files);
    if (pending[0]) {
      if (await isForeign(client)) throw foreignDatabase(connection);
      await work.beforeFirst?.(pending[0].name);
    }
    for (const file of pending) {
      work.log(`Applying the migration ${file.name}.`);
      await apply(connection, file);
    }
    return pending.map(({ name }) => name);
  } catch (error) {
    if (error instanceof ExplainedError) throw error;
    throw new MigrationError(`The migration failed: ${reason(error)} Fix this, then restart.`, { cause: error });
  } finally {
    // Releases the lock.
    await client.end();
  }
}

/**
 * Checks that a database has the migrations of a directory. Changes nothing.
 * @returns a warning if it also has migrations of a newer version, on which this version can run.
 * @throws MigrationError
 */
export async function checkMigrations(url: string, directory: string): Promise<string | undefined> {
  const files = await readMigrations(directory);
  const { client } = await connect(url);
  try {
    const history = await readHistory(client);
    const { pending, warning } = compare(history, files);
    if (pending.length === 0) return warning;
    const state =
      history.length === 0
        ? 'The database does not have the schema of the service yet.'
        : `The database is older than this version of the service and lacks the migrations ${pending.map(({ name }) => name).join(', ')}.`;
    throw new MigrationError(`${state} Start the service, or run "npm run migration:apply".`);
  } finally {
    await client.end();
  }
}

type LockOptions = Required<Pick<MigrateOptions, 'lockTimeoutMs' | 'log'>>;

/**
 * Takes the lock until the connection ends. Polls instead of waiting in the server: a waiting statement would block CREATE
 * INDEX CONCURRENTLY. Later statements wait for other locks as long, and are not limited in time.
 */
async function takeLock(client: Client, { lockTimeoutMs, log }: LockOptions): Promise<void> {
  const deadline = performance.now() + lockTimeoutMs;
  for (let isLogged = false; !(await tryLock(client)); isLogged = true) {
    if (!isLogged) log('Waiting for another process that is migrating the database.');
    if (performance.now() > deadline) throw lockHeld(lockTimeoutMs);
    await setTimeout(lockPollMs);
  }
  await client.query(`SET lock_timeout = ${lockTimeoutMs}; SET statement_timeout = 0`);
}

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [migrationLock]);
  return rows[0]?.taken === true;
}

/** Applies one migration and records it, both in one transaction: a failure leaves neither. */
async function apply(connection: DatabaseConnection, file: MigrationFile): Promise<void> {
  const { client } = connection;
  let script: string | undefined;
  try {
    if (file.isTransactional) await client.query('BEGIN');
    const record = await recordStart(client, file);
    script = file.sql;
    // The extended protocol accepts exactly one statement, which is what a script without a transaction must hold.
    await client.query({ text: script, ...(!file.isTransactional && { queryMode: 'extended' }) });
    await recordEnd(client, record);
    if (file.isTransactional) await client.query('COMMIT');
  } catch (error) {
    const parts = [reason(error, script), advice(error, connection), await rollBack(connection, file)];
    throw new MigrationError(`The migration ${file.name} failed: ${parts.join(' ')}`, { cause: error });
  }
}

/** Returns the state of the database. A script that contains a COMMIT is not rolled back completely. */
async function rollBack({ client }: DatabaseConnection, { name, isTransactional }: MigrationFile): Promise<string> {
  const rolledBack = 'It was rolled back, so the database is unchanged: restart to apply it again.';
  if (!isTransactional) return recovery(name);
  try {
    await client.query('ROLLBACK');
    const isRecorded = (await readHistory(client)).some((record) => record.name === name);
    return isRecorded ? recovery(name) : rolledBack;
  } catch {
    // The connection was lost, so PostgreSQL rolls back.
    return rolledBack;
  }
}

function advice(error: unknown, { user, database }: DatabaseConnection): string {
  const { code = '', message, hint = '' } = error as { code?: string; message: string; hint?: string };
  if (message.includes('multiple commands'))
    return 'A migration without a transaction must hold exactly one statement.';
  const isExtension = message.includes('extension');
  const advices: Readonly<Record<string, string>> = {
    '25001': 'Put the statement alone into a migration that starts with "-- petstore: no transaction".',
    '25006': 'The server is a standby or read-only. Let DATABASE_URL lead to the primary.',
    '42501': isExtension
      ? `Run GRANT CREATE ON DATABASE "${database}" TO "${user}", or create the extension as an administrator.`
      : `Run GRANT CREATE ON SCHEMA public TO "${user}", or connect as the owner of the tables.`,
  };
  // Of PostgreSQL, such as that an extension must be installed.
  return advices[code] ?? (isExtension && hint !== '' ? hint : 'Fix the migration.');
}

function foreignDatabase({ database }: DatabaseConnection): MigrationError {
  return new MigrationError(
    `The database "${database}" has tables, but no record of this service's migrations, so nothing was changed. ` +
      'Set DATABASE_URL to an empty database.',
  );
}

function lockHeld(lockTimeoutMs: number): MigrationError {
  return new MigrationError(
    `Another process has held the migration lock for ${Math.round(lockTimeoutMs / 1000)} s. Restart when it has finished. ` +
      `To find its session: SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = ${migrationLock};`,
  );
}

/** A pooler may give each transaction another session, which would lose the lock. */
function throughPooler(): MigrationError {
  return new MigrationError(
    'The database needs migrations, and a connection pooler such as PgBouncer is in front of it. Run "npm run ' +
      'migration:apply" with the DATABASE_URL of the server itself.',
  );
}
