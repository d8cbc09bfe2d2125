import { ExplainedError } from '@petstore/contracts';
import { applyMigration } from './apply-migration.js';
import { connect, ConnectionError } from './connect.js';
import { pendingMigrations, readHistory } from './history.js';
import { MigrationError, reason } from './migration-error.js';
import { readMigrations } from './migration-files.js';
import { migrationLock, takeMigrationLock } from './migration-lock.js';
import { withSchemaEngine } from './schema-engine.js';

export { ConnectionError, MigrationError, migrationLock };

export interface MigrateOptions {
  /** The directory of the migrations. */
  directory: string;
  log: (message: string) => void;
  /** How long to wait for a lock that another session holds. Default: 60,000. */
  lockTimeoutMs?: number;
  /** Runs before the first migration, under the migration lock. An error cancels the migration. */
  beforeFirst?: (first: string) => Promise<void>;
}

/**
 * Applies the migrations that a database lacks, each in a transaction unless it is marked otherwise.
 * @returns the names of the applied migrations.
 * @throws MigrationError
 */
export async function migrate(url: string, options: MigrateOptions): Promise<string[]> {
  const work = { lockTimeoutMs: 60_000, ...options, files: await readMigrations(options.directory) };
  const session = await connect(url);
  const { pool } = session;
  try {
    const history = await readHistory(pool);
    // An unfinished migration may be running in another process, which then holds the lock.
    if (history.every(({ isFinished }) => isFinished) && pendingMigrations(history, work.files).length === 0) return [];
    if (session.isPooled) throw throughPooler();
    await takeMigrationLock(pool, work);
    await pool.query(`SET lock_timeout = ${work.lockTimeoutMs}`);
    const pending = pendingMigrations(await readHistory(pool), work.files);
    if (pending[0]) await work.beforeFirst?.(pending[0].name);
    await withSchemaEngine(pool, async (engine, adapter) => {
      for (const file of pending) {
        work.log(`Applying the migration ${file.name}.`);
        await applyMigration({ ...work, session, engine, adapter }, file);
      }
    });
    return pending.map(({ name }) => name);
  } catch (error) {
    if (error instanceof ExplainedError) throw error;
    throw new MigrationError(`The migration failed: ${reason(error)} Fix this, then restart.`, { cause: error });
  } finally {
    // Ends the session, and with it the lock.
    await pool.end();
  }
}

/**
 * Checks that a database has exactly the migrations of a directory. Changes nothing.
 * @throws MigrationError
 */
export async function checkMigrations(url: string, directory: string): Promise<void> {
  const files = await readMigrations(directory);
  const { pool } = await connect(url);
  try {
    const history = await readHistory(pool);
    const pending = pendingMigrations(history, files).map(({ name }) => name);
    if (pending.length === 0) return;
    const state =
      history.length === 0
        ? 'The database does not have the schema of the service yet.'
        : `The database is older than this version of the service and lacks the migrations ${pending.join(', ')}.`;
    throw new MigrationError(`${state} Start the service, or run "npm run migration:apply".`);
  } finally {
    await pool.end();
  }
}

/** A pooler may give each transaction another session, which would lose the lock. */
function throughPooler(): MigrationError {
  return new MigrationError(
    'The database needs migrations, and a connection pooler such as PgBouncer is in front of it. Run "npm run ' +
      'migration:apply" with the DATABASE_URL of the server itself.',
  );
}
