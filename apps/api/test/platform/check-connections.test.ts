import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startPooler } from '../support/pooler.js';
import { createEmptyDatabase, createMigratedDatabase, execute } from '../support/scratch-database.js';
import { startError } from '../support/start-error.js';

const docs = readFileSync(join(import.meta.dirname, '../../../../docs/postgresql.md'), 'utf8');
const settings = [...docs.matchAll(/ALTER ROLE petstore SET (\w+) = '(.*)';/g)].map(([, name = '', value = '']) => ({
  name,
  value,
}));

let database: { name: string; url: string };
/** As ALTER ROLE … SET does, for the connections to one database. */
async function set(name: string, value: string): Promise<void> {
  await execute(database.url, `ALTER DATABASE ${database.name} SET ${name} = '${value}'`);
}

beforeEach(async () => {
  const created = await createMigratedDatabase();
  onTestFinished(() => created.drop());
  database = created;
});

describe('the start on an external database', () => {
  it('succeeds on the server itself, whatever the settings of its database are', async () => {
    await set('statement_timeout', '0');
    await set('TimeZone', 'Asia/Tokyo');
    expect(await startError(database.url)).toBe('');
  });

  it('is rejected when a parameter of the URL overrides a setting', async () => {
    const error = await startError(`${database.url}&statement_timeout=60000`);
    expect(error).toMatch(
      /^ExplainedError: The database connection does not have .*: statement_timeout is 60000, not 5000\./,
    );
  });
});

describe('the start of several processes', () => {
  const max = async () => Number((await execute(database.url, 'SHOW max_connections'))[0]?.['max_connections']);

  it('is rejected when they need more connections than the server allows', async () => {
    const variables = { WEB_CONCURRENCY: '2', DATABASE_POOL_MAX: String(Math.floor((await max()) / 2)) };
    expect(await startError(database.url, variables)).toMatch(
      /^ConfigError: .*\n {2}WEB_CONCURRENCY=2 with DATABASE_POOL_MAX=\d+ needs up to \d+ database connections/,
    );
    const many = { WEB_CONCURRENCY: '256', DATABASE_POOL_MAX: '1' };
    expect(await startError(database.url, many)).toMatch(
      / Lower WEB_CONCURRENCY, or raise max_connections of the server$/,
    );
  });

  it('succeeds when the server allows their connections, or a connection pooler shares them', async () => {
    expect(await startError(database.url, { WEB_CONCURRENCY: '2' })).toBe('');
    for (const { name, value } of settings) await set(name, value);
    const pooler = await startPooler(database.url, { mode: 'session' });
    expect(await startError(pooler, { WEB_CONCURRENCY: '256', DATABASE_POOL_MAX: '100' })).toBe('');
  });
});

describe('the start through a connection pooler that drops the settings', () => {
  it('is rejected, with the statements that set them for the role', async () => {
    const error = await startError(await startPooler(database.url, { mode: 'session' }));
    expect(error).toMatch(
      /^ExplainedError: The database connection does not have the settings of the service: statement_/,
    );
    expect(error).toContain('statement_timeout is 0, not 5000; lock_timeout is 0, not 3000; plan_cache_mode is auto');
    expect(error).toContain('docs/postgresql.md, "PgBouncer"');
    expect(error).toContain(`\n  ALTER ROLE "postgres" SET lock_timeout = '3000';\n`);
  });

  it('is rejected when one setting is wrong', async () => {
    for (const { name, value } of settings) await set(name, value);
    await set('lock_timeout', '0');
    const error = await startError(await startPooler(database.url, { mode: 'session' }));
    expect(error).toContain('the settings of the service: lock_timeout is 0, not 3000. A connection pooler');
  });

  it.each([
    [{ mode: 'session' }, ''],
    [{ mode: 'transaction', renamesStatements: true }, ''],
    [{ mode: 'transaction' }, 'but does not support prepared statements. Use PgBouncer 1.21 or newer'],
  ] as const)('with the settings on the server, through %j: "%s"', async (options, expected) => {
    for (const { name, value } of settings) await set(name, value);
    const error = await startError(await startPooler(database.url, options));
    if (expected === '') expect(error).toBe('');
    else expect(error).toContain(expected);
  });

  it('does not migrate, and explains how to', async () => {
    const empty = await createEmptyDatabase();
    onTestFinished(() => empty.drop());
    const error = await startError(await startPooler(empty.url, { mode: 'session' }));
    expect(error).toMatch(
      /^MigrationError: The database needs migrations, and a connection pooler .* migration:apply"/,
    );
    expect(await execute(empty.url, `SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
  });
});
