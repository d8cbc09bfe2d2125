import { applyMigration } from './apply-migration.js';
import { connect, type Session } from './connect.js';
import { isUpToDate, pendingMigrations, readHistory } from './history.js';
import { MigrationError, reason } from './migration-error.js';
import { type MigrationFile, readMigrations, toMigrationList } from './migration-files.js';
import { takeMigrationLock } from './migration-lock.js';
import { filters, withSchemaEngine } from './schema-engine.js';

export interface MigrateOptions {
  /** Of the migrations: `migrationsDirectory`, but in tests. */
  directory: string;
  log: (message: string) => void;
  /** How long another process may hold the lock, or a table that is to be changed; a minute when not given. */
  lockTimeoutMs?: number;
}

/**
 * Brings a database to the schema of this version and names the migrations that this took, each applied in one
 * transaction. Throws a MigrationError when the server cannot be used, or when a person has to decide.
 */
export async function migrate(url: string, options: MigrateOptions): Promise<string[]> {
  const files = await readMigrations(options.directory);
  const session = await connect(url);
  try {
    if (isUpToDate(await readHistory(session.pool), files)) return [];
    return await applyPending({ lockTimeoutMs: 60_000, ...options, session, files });
  } catch (error) {
    if (error instanceof MigrationError) throw error;
    const text = `The database could not be migrated: ${reason(error)} Put that right and start again.`;
    throw new MigrationError(text, { cause: error });
  } finally {
    // Ends the session, and with it the lock.
    await session.pool.end();
  }
}

/** For a service that may not migrate. Throws a MigrationError unless the database has the schema of this version. */
export async function checkMigrated(url: string, directory: string): Promise<void> {
  const files = await readMigrations(directory);
  const session = await connect(url);
  try {
    if (isUpToDate(await readHistory(session.pool), files)) return;
  } finally {
    await session.pool.end();
  }
  throw new MigrationError(
    'The database does not have the schema of this version of the service, and MIGRATE_ON_START is false. ' +
      'Run "npm run migration:apply", or start with MIGRATE_ON_START=true.',
  );
}

interface Work extends Required<MigrateOptions> {
  session: Session;
  files: MigrationFile[];
}

async function applyPending(work: Work): Promise<string[]> {
  const { session, files, directory, log } = work;
  await takeMigrationLock(session.pool, work);
  return withSchemaEngine(session.pool, async (engine, adapter) => {
    const migrationsList = toMigrationList(directory, files);
    const diagnosis = await engine.diagnoseMigrationHistory({ migrationsList, optInToShadowDatabase: false, filters });
    const pending = pendingMigrations(diagnosis, await readHistory(session.pool));
    for (const name of pending) {
      log(`Applying the migration ${name}.`);
      await applyMigration({ ...work, engine, adapter }, name);
    }
    return pending;
  });
}
