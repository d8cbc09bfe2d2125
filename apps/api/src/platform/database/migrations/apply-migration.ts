import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { DatabaseError } from 'pg';
import type { Session } from './connect.js';
import { readHistory } from './history.js';
import { MigrationError, reason } from './migration-error.js';
import { type MigrationFile, toMigrationList } from './migration-files.js';
import type { QueryFailure, SchemaAdapter } from './schema-adapter.js';
import { filters } from './schema-engine.js';

export interface Migrator {
  session: Session;
  engine: SchemaEngine;
  adapter: SchemaAdapter;
  directory: string;
  files: MigrationFile[];
  lockTimeoutMs: number;
}

/**
 * Lets the engine apply one migration, and record it, in one transaction: a failure or a kill leaves neither. The
 * engine alone would leave the record of a failed migration, which a person would have to take away.
 */
export async function applyMigration(migrator: Migrator, name: string): Promise<void> {
  const { session, engine, adapter, directory, files, lockTimeoutMs } = migrator;
  const upToThis = files.slice(0, files.findIndex((file) => file.name === name) + 1);
  adapter.failure = undefined;
  try {
    await session.pool.query(`BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    await engine.applyMigrations({ migrationsList: toMigrationList(directory, upToThis), filters });
    await session.pool.query('COMMIT');
  } catch (error) {
    const failure: QueryFailure = adapter.failure ?? { error };
    const state = await takeBack(session, name);
    if ((error as { code?: string }).code === 'P3005') throw foreignDatabase(session, name);
    const why = reason(failure.error, failure.script);
    const text = `The migration ${name} failed: ${why} ${state} ${advice(failure.error, session)}`;
    throw new MigrationError(text, { cause: failure.error });
  }
}

/** Says what is left of the migration: a script that ends the transaction itself is not taken back as a whole. */
async function takeBack({ pool }: Session, name: string): Promise<string> {
  const whole = 'It was taken back as a whole: the database is as it was before it.';
  try {
    await pool.query('ROLLBACK');
    if (!(await readHistory(pool)).some((record) => record.name === name)) return whole;
    return 'It ended its transaction itself, so part of it may be in the database, where it is marked as failed.';
  } catch {
    // The session broke, and PostgreSQL takes back what no session finishes.
    return whole;
  }
}

function advice(error: unknown, { user }: Session): string {
  if (!(error instanceof DatabaseError) || error.code !== '42501') return 'Put right what is named, and start again.';
  return (
    `Let the user "${user}" do it (GRANT CREATE ON SCHEMA public TO "${user}", or connect as the owner of the tables), ` +
    'and start again.'
  );
}

function foreignDatabase({ database }: Session, name: string): MigrationError {
  return new MigrationError(
    `The database "${database}" holds tables, but no record of this service's migrations, so it is left alone. Set DATABASE_URL ` +
      `to an empty database; or, if the tables are this service's, record that: "npx prisma migrate resolve --applied ${name}".`,
  );
}
