import { createDatabase, execute, type ScratchDatabase } from '@petstore/test-kit/database.js';
import pg from 'pg';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';

export { execute, type ScratchDatabase };

/** Creates an empty database on the server of this test project. */
export function createEmptyDatabase(): Promise<ScratchDatabase> {
  return createDatabase(inject('serverUrl'));
}

/** Creates a database with the schema of this version on the server of this test project. */
function createMigratedDatabase(): Promise<ScratchDatabase> {
  return createDatabase(inject('serverUrl'), inject('templateDatabase'));
}

/** Creates a database with the schema of this version for the tests of a file. */
export function useDatabase(): ScratchDatabase {
  // Its members are there when the tests run.
  const database = {} as ScratchDatabase;
  beforeAll(async () => {
    Object.assign(database, await createMigratedDatabase());
  });
  afterAll(() => database.drop());
  return database;
}

/** Creates a database with the schema of this version for one test. */
export async function createTestDatabase(): Promise<ScratchDatabase> {
  const database = await createMigratedDatabase();
  onTestFinished(() => database.drop());
  return database;
}

/** Blocks all requests for pets until the client ends. */
export function holdPets(url: string): Promise<pg.Client> {
  return hold(url, 'LOCK TABLE pet IN ACCESS EXCLUSIVE MODE');
}

/** Opens a transaction that keeps the lock of a statement until the client or the test ends. */
export async function hold(url: string, statement: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  onTestFinished(() => client.end());
  await client.connect();
  await client.query(`BEGIN; ${statement}`);
  return client;
}

/** Returns the number of statements that wait for a lock. */
export async function countLockWaits(url: string): Promise<number> {
  const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  return (await execute(url, waiting)).length;
}
