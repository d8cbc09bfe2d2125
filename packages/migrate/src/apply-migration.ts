import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { Session } from './connect.js';
import { readHistory, recovery } from './history.js';
import { MigrationError, reason } from './migration-error.js';
import { type MigrationFile, toMigrationList } from './migration-files.js';
import type { SchemaAdapter } from './schema-adapter.js';
import { filters } from './schema-engine.js';

interface Migrator {
  session: Session;
  engine: SchemaEngine;
  adapter: SchemaAdapter;
  directory: string;
  files: MigrationFile[];
}

/**
 * The engine applies one migration and records it. Both happen in one transaction, so that a failure leaves neither: the
 * engine alone would keep the record of a failed migration. A migration without a transaction does keep that record.
 */
export async function applyMigration(migrator: Migrator, file: MigrationFile): Promise<void> {
  const { session, engine, adapter, directory, files } = migrator;
  const upToThis = files.slice(0, files.indexOf(file) + 1);
  adapter.prepareFor(file);
  try {
    if (file.isTransactional) await session.pool.query('BEGIN');
    await engine.applyMigrations({ migrationsList: toMigrationList(directory, upToThis), filters });
    if (file.isTransactional) await session.pool.query('COMMIT');
  } catch (error) {
    if ((error as { code?: string }).code === 'P3005') throw foreignDatabase(session);
    const { error: cause, script } = adapter.failure ?? { error };
    const parts = [reason(cause, script), advice(cause, session), await rollBack(session, file)];
    throw new MigrationError(`The migration ${file.name} failed: ${parts.join(' ')}`, { cause });
  }
}

/** Returns the state of the database. A script that contains a COMMIT is not rolled back completely. */
async function rollBack({ pool }: Session, { name, isTransactional }: MigrationFile): Promise<string> {
  const rolledBack = 'It was rolled back, so the database is unchanged: restart to apply it again.';
  if (!isTransactional) return recovery(name);
  try {
    await pool.query('ROLLBACK');
    const isRecorded = (await readHistory(pool)).some((record) => record.name === name);
    return isRecorded ? recovery(name) : rolledBack;
  } catch {
    // The connection was lost, so PostgreSQL rolls back.
    return rolledBack;
  }
}

function advice(error: unknown, { user }: Session): string {
  const { code, message } = error as { code?: string; message: string };
  if (message.includes('multiple commands'))
    return 'A migration without a transaction must hold exactly one statement.';
  if (code === '25001')
    return 'Put the statement alone into a migration that starts with "-- petstore: no transaction".';
  if (code !== '42501') return 'Fix the migration.';
  return `Run GRANT CREATE ON SCHEMA public TO "${user}", or connect as the owner of the tables.`;
}

function foreignDatabase({ database }: Session): MigrationError {
  return new MigrationError(
    `The database "${database}" has tables, but no record of this service's migrations, so nothing was changed. ` +
      'Set DATABASE_URL to an empty database.',
  );
}
