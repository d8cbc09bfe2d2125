import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/platform/config/config.js';
import { backupPlan } from '../../src/backup-plan.js';
import { databaseRights } from '../../src/database-rights.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startPooler } from '../support/pooler.js';
import { createEmptyDatabase, createMigratedDatabase, execute } from '../support/scratch-database.js';

/** Opens the database as the start of the service does. Returns the error message, or an empty text. */
async function errorOf(url: string, variables: Record<string, string> = {}): Promise<string> {
  const config = readConfig({ DATABASE_URL: url, ...variables });
  const error: unknown = await openDatabase(config, () => undefined, {
    rights: databaseRights,
    backup: backupPlan,
  }).catch((reason: unknown) => reason);
  return error instanceof Error ? `${error.name}: ${error.message}` : '';
}

const docs = readFileSync(join(import.meta.dirname, '../../../../docs/operating.md'), 'utf8');
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
    expect(await errorOf(database.url)).toBe('');
  });

  it('is rejected when a parameter of the URL overrides a setting', async () => {
    const error = await errorOf(`${database.url}&statement_timeout=60000`);
    expect(error).toMatch(
      /^ExplainedError: The database connection does not have .*: statement_timeout is 60000, not 5000\./,
    );
  });
});

describe('the start of several processes', () => {
  const max = async () => Number((await execute(database.url, 'SHOW max_connections'))[0]?.['max_connections']);

  it('is rejected when they need more connections than the server allows', async () => {
    const variables = { WEB_CONCURRENCY: '2', DATABASE_POOL_MAX: String(Math.floor((await max()) / 2)) };
    expect(await errorOf(database.url, variables)).toMatch(
      /^ConfigError: .*\n {2}WEB_CONCURRENCY: 2 processes with DATABASE_POOL_MAX=\d+ need up to \d+ database connections/,
    );
    const many = { WEB_CONCURRENCY: '256', DATABASE_POOL_MAX: '1' };
    expect(await errorOf(database.url, many)).toMatch(/allowed is a smaller WEB_CONCURRENCY, or a higher max_conn/);
  });

  it('succeeds when the server allows their connections, or a connection pooler shares them', async () => {
    expect(await errorOf(database.url, { WEB_CONCURRENCY: '2' })).toBe('');
    for (const { name, value } of settings) await set(name, value);
    const pooler = await startPooler(database.url, { mode: 'session' });
    expect(await errorOf(pooler, { WEB_CONCURRENCY: '256', DATABASE_POOL_MAX: '100' })).toBe('');
  });
});

describe('the start through a connection pooler that drops the settings', () => {
  it('is rejected, with the statements that set them for the role', async () => {
    const error = await errorOf(await startPooler(database.url, { mode: 'session' }));
    expect(error).toMatch(
      /^ExplainedError: The database connection does not have the settings of the service: statement_/,
    );
    expect(error).toContain('statement_timeout is 0, not 5000; lock_timeout is 0, not 3000; plan_cache_mode is auto');
    expect(error).toContain('docs/operating.md, "PgBouncer"');
    expect(error).toContain(`\n  ALTER ROLE "postgres" SET lock_timeout = '3000';\n`);
  });

  it('is rejected when one setting is wrong', async () => {
    for (const { name, value } of settings) await set(name, value);
    await set('lock_timeout', '0');
    const error = await errorOf(await startPooler(database.url, { mode: 'session' }));
    expect(error).toContain('the settings of the service: lock_timeout is 0, not 3000. A connection pooler');
  });

  it.each([
    [{ mode: 'session' }, ''],
    [{ mode: 'transaction', renamesStatements: true }, ''],
    [{ mode: 'transaction' }, 'but does not support prepared statements. Use PgBouncer 1.21 or newer'],
  ] as const)('with the settings on the server, through %j: "%s"', async (options, expected) => {
    for (const { name, value } of settings) await set(name, value);
    const error = await errorOf(await startPooler(database.url, options));
    if (expected === '') expect(error).toBe('');
    else expect(error).toContain(expected);
  });

  it('does not migrate, and explains how to', async () => {
    const empty = await createEmptyDatabase();
    onTestFinished(() => empty.drop());
    const error = await errorOf(await startPooler(empty.url, { mode: 'session' }));
    expect(error).toMatch(
      /^MigrationError: The database needs migrations, and a connection pooler .* migration:apply"/,
    );
    expect(await execute(empty.url, `SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
  });
});
