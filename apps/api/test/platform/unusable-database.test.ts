import { Cleanup } from '@petstore/processes/cleanup.js';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { createEmptyDatabase, execute } from '../support/scratch-database.js';
import { startError } from '../support/start-error.js';

const server = () => inject('serverUrl');

function urlOf(database: string, user: string): string {
  const url = new URL(server());
  url.pathname = `/${database}`;
  url.username = user;
  return url.href;
}

/** A role without rights. */
async function createRole(name: string): Promise<string> {
  await execute(server(), `CREATE ROLE ${name} LOGIN`);
  onTestFinished(async () => void (await execute(server(), `DROP ROLE ${name}`)));
  return name;
}

it.each(['SQL_ASCII', 'LATIN1', 'WIN1250', 'EUC_JP'])(
  'a database with the encoding %s is refused, with the statement that creates a right one',
  async (encoding) => {
    const names = [`shop_${encoding.toLowerCase()}`, `shop_${encoding.toLowerCase()}_utf8`] as const;
    onTestFinished(async () => {
      for (const name of names) await execute(server(), `DROP DATABASE IF EXISTS ${name}`);
    });
    const options = `TEMPLATE template0 LOCALE_PROVIDER libc LOCALE 'C'`;
    await execute(server(), `CREATE DATABASE ${names[0]} ENCODING '${encoding}' ${options}`);
    const error = await startError(urlOf(names[0], 'postgres'));
    expect(error).toContain(`The database "${names[0]}" has the encoding ${encoding}, but UTF8 is required.`);
    const [statement = ''] = /CREATE DATABASE .*;/.exec(error) ?? [];
    await execute(server(), statement.replace('NAME', names[1]));
    expect(await startError(urlOf(names[1], 'postgres'))).toBe('');
  },
);

describe('a missing right', () => {
  it.each([
    [
      'to connect',
      '',
      'REVOKE CONNECT ON DATABASE $ FROM public',
      'User does not have CONNECT privilege. Grant the right',
    ],
    ['to create tables', 'clerk_tables', '', 'Run GRANT CREATE ON SCHEMA public TO "clerk_tables"'],
    [
      'to create the extension',
      'clerk_extension',
      'GRANT CREATE ON SCHEMA public TO clerk_extension',
      /Run GRANT CREATE ON DATABASE "\w+" TO "clerk_extension"/,
    ],
    [
      'to use the schema',
      'clerk_usage',
      'REVOKE ALL ON SCHEMA public FROM public',
      'GRANT USAGE ON SCHEMA public TO "clerk_usage"',
    ],
  ])('%s is named with the statement that grants it', async (_, name, statement, expected) => {
    const role = await createRole(name === '' ? 'clerk_connect' : name);
    const database = await createEmptyDatabase();
    onTestFinished(() => database.drop());
    if (statement !== '') await execute(database.url, statement.replace('$', database.name));
    const error = await startError(urlOf(database.name, role));
    expect(error).toMatch(expected);
    expect(error).not.toContain('Fix the migration');
  });
});

describe('a standby', () => {
  it('is named, with and without the schema of this version', async () => {
    const cleanup = new Cleanup();
    onTestFinished(() => cleanup.run());
    const postgres = await PostgresServer.start(cleanup, ['fsync = off']);
    await postgres.query('CREATE DATABASE migrated');
    const migrated = new URL(postgres.url());
    migrated.pathname = '/migrated';
    expect(await startError(migrated.href)).toBe('');
    await postgres.demote();
    expect(await startError(migrated.href)).toContain('The database server is a standby');
    expect(await startError(postgres.url())).toContain('The server is a standby or read-only. Let DATABASE_URL lead');
  });
});
