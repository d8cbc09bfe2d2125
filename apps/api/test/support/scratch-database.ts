import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';

export interface ScratchDatabase {
  name: string;
  url: string;
  drop(): Promise<void>;
}

/** An empty database, or a clone of `template`, under a name of its own. */
export async function createDatabase(
  serverUrl: string,
  template = 'template0',
  name = `petstore_test_${randomBytes(6).toString('hex')}`,
): Promise<ScratchDatabase> {
  await execute(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const drop = async () => void (await execute(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`));
  return { name, url: url.href, drop };
}

/** An empty database on the server of this test project. */
export function createEmptyDatabase(): Promise<ScratchDatabase> {
  return createDatabase(inject('serverUrl'));
}

/** A database with the schema of this version on the server of this test project. */
export function createMigratedDatabase(): Promise<ScratchDatabase> {
  return createDatabase(inject('serverUrl'), inject('templateDatabase'));
}

/** Runs one statement on a connection of its own; the rows that it gives. */
export async function execute(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Has every request for animals wait until it is ended. */
export function holdPets(url: string): Promise<pg.Client> {
  return hold(url, 'LOCK TABLE pet IN ACCESS EXCLUSIVE MODE');
}

/** A transaction that keeps the lock of a statement until it is ended, or the test is. */
export async function hold(url: string, statement: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  onTestFinished(() => client.end());
  await client.connect();
  await client.query(`BEGIN; ${statement}`);
  return client;
}
