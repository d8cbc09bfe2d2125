import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { migrate } from '../src/migrate.js';
import { addMigrations, migrationFolder } from './migration-folder.js';
import { emptyDatabase, hold, holdMigrationLock, migrateQuietly, query, tablesOf } from './test-database.js';

const marker = '-- petstore: no transaction';
const table = { '1_toy': 'CREATE TABLE toy (name text); INSERT INTO toy VALUES (1), (1);' };
const indexes = `SELECT relname::text AS name, indisvalid AS valid FROM pg_index JOIN pg_class ON oid = indexrelid
  WHERE indrelid = 'toy'::regclass`;

describe('a migration that fails', () => {
  it('is rolled back, and applied after a fix', async () => {
    const { url } = await emptyDatabase();
    const bad = await migrationFolder({ '1_bad': 'CREATE TABLE bad (' });
    await expect(migrateQuietly(url, bad)).rejects.toThrow('1_bad');
    expect(await tablesOf(url)).toEqual([]);
    const folder = await migrationFolder({
      '1_good': 'CREATE TABLE good (id int);',
      '2_bad': 'CREATE TABLE bad (id int);\nINSERT INTO good VALUES (1);\nSELECT nonsense FROM bad;',
    });
    await expect(migrateQuietly(url, folder)).rejects.toThrow(
      /^The migration 2_bad failed: column "nonsense" does not exist; line 3\. Fix the cause, then restart\.$/,
    );
    expect(await tablesOf(url)).toEqual(['_prisma_migrations', 'good']);
    expect(await query(url, 'SELECT * FROM good')).toEqual([]);
    await addMigrations(folder, { '2_bad': 'CREATE TABLE bad (id int);' });
    expect(await migrateQuietly(url, folder)).toEqual(['2_bad']);
  });

  it('and is marked "no transaction" is applied after its invalid index was removed', async () => {
    const { url } = await emptyDatabase();
    const sql = `${marker}\nCREATE UNIQUE INDEX CONCURRENTLY toy_name ON toy (name);`;
    const folder = await migrationFolder({ ...table, '2_unique': sql });
    await expect(migrateQuietly(url, folder)).rejects.toThrow(
      /^The migration 2_unique failed: could not create unique index.* Remove what it left in the database, such as an invalid/,
    );
    expect(await query(url, indexes)).toEqual([{ name: 'toy_name', valid: false }]);
    await expect(migrateQuietly(url, folder)).rejects.toThrow(
      '2_unique failed: relation "toy_name" already exists. Remove what it left',
    );
    await query(url, 'DROP INDEX CONCURRENTLY toy_name');
    await query(url, 'UPDATE toy SET name = ctid::text');
    expect(await migrateQuietly(url, folder)).toEqual(['2_unique']);
    expect(await query(url, indexes)).toEqual([{ name: 'toy_name', valid: true }]);
  });
});

describe('a migration marked "no transaction"', () => {
  it('runs CREATE INDEX CONCURRENTLY, which does not block while other services wait for it', async () => {
    const { url } = await emptyDatabase();
    const sql = `${marker}\n-- One statement; comments are allowed.\nCREATE INDEX CONCURRENTLY toy_name ON toy (name);\n`;
    const folder = await migrationFolder({ ...table, '2_index': sql, '3_more': 'CREATE TABLE more ();' });
    const runs = await Promise.all([1, 2, 3].map(() => migrateQuietly(url, folder)));
    expect(runs.flat()).toEqual(['1_toy', '2_index', '3_more']);
    expect(await query(url, indexes)).toEqual([{ name: 'toy_name', valid: true }]);
  });

  it('must contain exactly one statement, otherwise none runs', async () => {
    const { url } = await emptyDatabase();
    const sql = `${marker}\nCREATE INDEX CONCURRENTLY toy_name ON toy (name);\nDROP TABLE toy;`;
    const folder = await migrationFolder({ ...table, '2_two': sql });
    await expect(migrateQuietly(url, folder)).rejects.toThrow('cannot insert multiple commands');
    expect(await query(url, indexes)).toEqual([]);
    expect(await query(url, 'SELECT name FROM toy')).toHaveLength(2);
  });
});

describe('migrate', () => {
  it('stops waiting for the migration lock after the timeout', async () => {
    const { url } = await emptyDatabase();
    const folder = await migrationFolder({ '1_a': 'CREATE TABLE a ();' });
    const release = await holdMigrationLock(url);
    const log: string[] = [];
    const migration = migrate(url, { directory: folder, log: (line) => log.push(line), lockTimeoutMs: 500 });
    await expect(migration).rejects.toThrow('Another process has held the migration lock');
    expect(log).toEqual(['Waiting for another process that is migrating the database.']);
    await release();
  });

  it.each([
    ['a', 'The migration 2_b failed: canceling statement due to lock timeout'],
    ['_prisma_migrations', 'The migration failed: canceling statement due to lock timeout'],
  ])('stops waiting for a lock on the table %s after the timeout', async (locked, problem) => {
    const { url } = await emptyDatabase();
    const folder = await migrationFolder({ '1_a': 'CREATE TABLE a ();' });
    await migrateQuietly(url, folder);
    await addMigrations(folder, { '2_b': 'ALTER TABLE a ADD COLUMN b int;' });
    const release = await hold(url, `BEGIN; LOCK TABLE ${locked}`);
    const migration = migrate(url, { directory: folder, log: () => undefined, lockTimeoutMs: 300 });
    await expect(migration).rejects.toThrow(problem);
    await release();
  });

  it.each(['statement_timeout', 'idle_session_timeout'])('is not limited by the %s of its role', async (setting) => {
    const { url } = await emptyDatabase();
    const withTimeout = new URL(url);
    withTimeout.searchParams.set('options', `-c ${setting}=100`);
    const folder = await migrationFolder({ '1_slow': 'SELECT pg_sleep(0.3);' });
    const beforeFirst = () => sleep(300);
    const migration = migrate(withTimeout.href, { directory: folder, log: () => undefined, beforeFirst });
    expect(await migration).toEqual(['1_slow']);
  });
});
