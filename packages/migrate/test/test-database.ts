import { connect, createDatabase, execute as query } from '@petstore/test-kit/database.js';
import { inject, onTestFinished } from 'vitest';
import { migrate, migrationLock } from '../src/migrate.js';

export { query };

/** Creates an empty database for one test. */
export async function emptyDatabase(): Promise<{ name: string; url: string }> {
  const database = await createDatabase(inject('serverUrl'));
  onTestFinished(() => database.drop());
  return database;
}

/** The tables of a database, including Prisma's own. */
export async function tablesOf(url: string): Promise<unknown[]> {
  const rows = await query(
    url,
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1",
  );
  return rows.map(({ name }) => name);
}

/** Migrates without log output. */
export function migrateQuietly(url: string, directory: string): Promise<string[]> {
  return migrate(url, { directory, log: () => undefined });
}

/** Holds the lock of a statement until the returned function is called. */
export async function hold(url: string, statement: string): Promise<() => Promise<void>> {
  const client = await connect(url);
  await client.query(statement);
  return () => client.end();
}

export function holdMigrationLock(url: string): Promise<() => Promise<void>> {
  return hold(url, `SELECT pg_advisory_lock(${migrationLock})`);
}
