import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { MigrationError, reason } from './migration-error.js';

export type UseDatabase<Result> = (url: string) => Promise<Result>;

/** Runs `use` on an empty database with a random name on a server, and drops it. */
export async function onScratchDatabase<Result>(serverUrl: string, use: UseDatabase<Result>): Promise<Result> {
  if (!/^postgres(ql)?:\/\//.test(serverUrl) || !URL.canParse(serverUrl)) throw unreadable();
  const name = `petstore_scratch_${randomBytes(6).toString('hex')}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await runOnServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE template0`);
  try {
    return await use(url.href);
  } finally {
    await runOnServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

async function runOnServer(serverUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(sql);
  } catch (error) {
    const where = `on ${client.host}:${client.port} as the user "${client.user}"`;
    throw new MigrationError(
      `A scratch database cannot be made or dropped ${where}: ${reason(error)} The user needs the right CREATEDB; the server ` +
        'is the one of TEST_DATABASE_URL.',
      { cause: error },
    );
  } finally {
    await client.end();
  }
}

function unreadable(): MigrationError {
  return new MigrationError(
    'TEST_DATABASE_URL is not one of PostgreSQL: allowed is postgresql://user:password@host:5432/database.',
  );
}
