import { setTimeout } from 'node:timers/promises';
import { ExplainedError } from '@petstore/contracts';
import type { Client } from 'pg';
import { connect } from './connection.js';
import { compare, namesOf, readHistory, record, rejectForeign } from './history.js';
import { ConnectionError, MigrationError, reason } from './migration-error.js';
import { type MigrationFile, readMigrations } from './migration-files.js';

export { ConnectionError, MigrationError };

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
  const { log, warn = log, lockTimeoutMs = 60_000, beforeFirst } = options;
  const files = await readMigrations(options.directory);
  const client = await connect(url, lockTimeoutMs);
  try {
    // Without the lock: a newer version may hold it for long.
    const { pending: missing, warning } = compare(await readHistory(client), files);
    if (warning !== undefined) warn(warning);
    if (missing.length === 0) return [];
    await takeLock(client, lockTimeoutMs, log);
    const { pending } = compare(await readHistory(client), files);
    await rejectForeign(client);
    if (pending[0]) await beforeFirst?.(pending[0].name);
    for (const file of pending) {
      log(`Applying the migration ${file.name}.`);
      await apply(client, file);
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
  const client = await connect(url);
  try {
    const { pending, warning } = compare(await readHistory(client), files);
    if (pending.length === 0) return warning;
    const state =
      pending.length === files.length
        ? 'The database does not have the schema of the service yet.'
        : `The database is older than this version of the service and lacks the migrations ${namesOf(pending)}.`;
    throw new MigrationError(`${state} Start the service, or run the command "migration apply".`);
  } finally {
    await client.end();
  }
}

/**
 * Takes the lock until the connection ends. Polls instead of waiting in the server: a waiting statement would block CREATE
 * INDEX CONCURRENTLY.
 */
async function takeLock(client: Client, timeoutMs: number, log: (message: string) => void): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      migrationLock,
    ]);
    if (rows[0]?.taken) return;
    if (attempt === 1) log('Waiting for another process that is migrating the database.');
    if (performance.now() > deadline) {
      throw new MigrationError(
        `Another process has held the migration lock for ${timeoutMs / 1000} s. Restart when it has finished. To find its ` +
          `session: SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = ${migrationLock};`,
      );
    }
    await setTimeout(lockPollMs);
  }
}

/** Applies one migration and records it, both in one transaction: a failure leaves neither. */
async function apply(client: Client, file: MigrationFile): Promise<void> {
  const { name, sql, isTransactional } = file;
  try {
    if (isTransactional) await client.query('BEGIN');
    // The extended protocol accepts exactly one statement, which is what a script without a transaction must hold.
    await client.query({ text: sql, ...(!isTransactional && { queryMode: 'extended' }) });
    await record(client, file);
    if (isTransactional) await client.query('COMMIT');
  } catch (error) {
    const fix = isTransactional
      ? 'Fix the cause, then restart.'
      : 'Remove what it left in the database, such as an invalid index, then restart.';
    throw new MigrationError(`The migration ${name} failed: ${reason(error, sql)} ${fix}`, { cause: error });
  }
}
