import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sessionSettings } from '@petstore/migrate/session-settings.js';
import { beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { isDatabaseUnavailable, retryAtStart } from '../../src/platform/database/database-error.js';
import { DatabasePool, poolSettings } from '../../src/platform/database/pool.js';
import { DatabaseLink } from '../support/database-link.js';
import { createEmptyDatabase, createTestDatabase, execute, type ScratchDatabase } from '../support/scratch-database.js';
import { startError } from '../support/start-error.js';

let database: ScratchDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});

function openPool(url: string): DatabasePool {
  const pool = new DatabasePool({ url, max: 1, statementTimeoutMs: 500 });
  onTestFinished(() => pool.end());
  return pool;
}

describe('a pooled connection', () => {
  it('is closed and replaced when the server stops responding', async () => {
    const link = await DatabaseLink.to(database.url);
    onTestFinished(() => link.cut());
    const pool = openPool(link.url);
    const backendPid = async () => {
      const text = 'SELECT pg_backend_pid() AS pid';
      return (await pool.query<{ pid: number }>({ name: text, text })).rows[0]?.pid;
    };
    // A new connection has only 500 ms: on a busy machine, the first attempts may fail.
    const pidOnceConnected = () => vi.waitFor(backendPid, { timeout: 50_000 });
    const before = await pidOnceConnected();
    link.delayMs = 60_000;
    const error = await backendPid().catch((caught: unknown) => caught);
    expect(String(error)).toContain('no response from the database within 1000 ms');
    expect(isDatabaseUnavailable(error)).toBe(true);
    link.delayMs = 0;
    expect(await pidOnceConnected()).not.toBe(before);
  });

  it('keeps the options of the URL next to its own settings', async () => {
    const url = new URL(database.url);
    url.searchParams.set('options', '-c work_mem=8MB -c TimeZone=Asia/Tokyo');
    const { rows } = await openPool(url.href).query<Record<string, string>>(
      `SELECT current_setting('work_mem') AS memory, current_setting('TimeZone') AS zone`,
    );
    expect(rows).toEqual([{ memory: '8MB', zone: 'UTC' }]);
  });
});

describe('the start on an external database', () => {
  /** As ALTER ROLE … SET does, for the connections to one database. */
  const set = (name: string, value: string) =>
    execute(database.url, `ALTER DATABASE ${database.name} SET ${name} = '${value}'`);

  it.each([
    ['statement_timeout', '60000', '5000'],
    ['lock_timeout', '0', '3000'],
  ])('is rejected when the URL overrides %s, with the statement that sets it', async (name, value, required) => {
    const error = await startError(`${database.url}&${name}=${value}`);
    expect(error).toMatch(/^ExplainedError: The database connection does not have the settings of the service: /);
    expect(error).toContain(
      `: ${name} is ${value}, not ${required}. A connection pooler, or a parameter in DATABASE_URL`,
    );
    expect(error).toContain(`\n  ALTER ROLE "postgres" SET ${name} = '${required}';`);
  });

  it('needs no other settings than those that docs/install.md lists for PgBouncer', async () => {
    const docs = readFileSync(join(import.meta.dirname, '../../../../docs/install.md'), 'utf8');
    const settings = docs.matchAll(/ALTER ROLE petstore SET (\w+) = '(.*)';/g);
    for (const [, name = '', value = ''] of settings) await set(name, value);
    const rows = await execute(database.url, 'SELECT name, setting FROM pg_settings');
    const inForce: unknown = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
    expect(inForce).toMatchObject({ ...poolSettings(5000), ...sessionSettings, DateStyle: 'ISO, MDY' });
  });
});

it.each([
  ['55P03', 'canceling statement due to lock timeout'],
  ['57P03', 'the database system is starting up'],
  ['53300', 'sorry, too many clients already'],
])('a start that finds the database unavailable for 60 s names the cause: %s', async (code, message) => {
  const now = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(60_001);
  onTestFinished(() => now.mockRestore());
  const cause = { message: 'Invalid `prisma.apiKey.findMany()` invocation', cause: { code, message } };
  await expect(retryAtStart(() => Promise.reject(Object.assign(new Error(), cause)))).rejects.toThrow(
    `The database is not available: ${message}. Check its server and its locks, then try again.`,
  );
});

const server = () => inject('serverUrl');

function urlOf(name: string, user: string): string {
  const url = new URL(server());
  url.pathname = `/${name}`;
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

it.each([
  ['connect', '', 'REVOKE CONNECT ON DATABASE $ FROM public', 'does not have CONNECT privilege'],
  [
    'create the extension',
    'clerk_extension',
    '',
    /^MigrationError: The migration \w+ failed: permission denied to create ext/,
  ],
  [
    'use the schema',
    'clerk_usage',
    'REVOKE ALL ON SCHEMA public FROM public',
    'GRANT USAGE ON SCHEMA public TO "clerk_usage"',
  ],
])('a missing right to %s is named', async (_, name, statement, expected) => {
  const role = await createRole(name === '' ? 'clerk_connect' : name);
  const empty = await createEmptyDatabase();
  onTestFinished(() => empty.drop());
  if (statement !== '') await execute(empty.url, statement.replace('$', empty.name));
  const error = await startError(urlOf(empty.name, role));
  expect(error).toMatch(expected);
});
