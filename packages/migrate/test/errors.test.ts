import { defaults } from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { checkVersion } from '../src/connection.js';
import { MigrationError } from '../src/migration-error.js';
import { addMigrations, migrationFolder } from './migration-folder.js';
import { emptyDatabase, migrateQuietly, query, tablesOf } from './test-database.js';

async function errorOf(url: string, directory?: string): Promise<string> {
  const error: unknown = await migrateQuietly(
    url,
    directory ?? (await migrationFolder({ '1_a': 'CREATE TABLE a ();' })),
  ).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(MigrationError);
  return (error as MigrationError).message;
}

describe('migrate rejects a database', () => {
  it('that is newer than the code and breaks it, and names the unknown migrations', async () => {
    const { url } = await emptyDatabase();
    const newer = { '1_a': 'CREATE TABLE a ();', '2_b-breaking': 'DROP TABLE a;' };
    await migrateQuietly(url, await migrationFolder(newer));
    const older = await migrationFolder({ '1_a': 'CREATE TABLE a ();' });
    expect(await errorOf(url, older)).toMatch(/newer than this version.* 2_b-breaking\. Use the version/);
  });

  it('with migrations that were edited after they were applied', async () => {
    const { url } = await emptyDatabase();
    const folder = await migrationFolder({ '1_a': 'CREATE TABLE a ();' });
    await migrateQuietly(url, folder);
    await addMigrations(folder, { '1_a': 'CREATE TABLE a (id int);', '2_b': 'CREATE TABLE b ();' });
    expect(await errorOf(url, folder)).toMatch(/^The migrations 1_a were edited after they were applied/);
    expect(await tablesOf(url)).not.toContain('b');
  });

  it.each(['CREATE TABLE theirs ()', "CREATE TYPE theirs AS ENUM ('one')"])(
    'with an object of another application: %s',
    async (sql) => {
      const { url, name } = await emptyDatabase();
      await query(url, sql);
      const before = await tablesOf(url);
      expect(await errorOf(url)).toMatch(
        new RegExp(`The database "${name}" has tables, but no record.*nothing was changed`),
      );
      expect(await tablesOf(url)).toEqual(before);
    },
  );

  it('unless its objects belong to an extension', async () => {
    const { url } = await emptyDatabase();
    await query(url, 'CREATE EXTENSION pg_stat_statements');
    expect(await migrateQuietly(url, await migrationFolder({ '1_a': 'CREATE TABLE a ();' }))).toEqual(['1_a']);
  });

  it('that does not exist', async () => {
    const url = new URL(inject('serverUrl'));
    url.pathname = '/no_such_database';
    expect(await errorOf(url.href)).toMatch(
      /"no_such_database" does not exist\. Create the database, or correct its name/,
    );
  });
});

describe('migrate rejects a server', () => {
  it('that is older than PostgreSQL 15, and names its version', () => {
    expect(() => checkVersion('14.12 (Debian 14.12-1)')).toThrow(/^.*PostgreSQL 14\.12 .*but PostgreSQL 15 or newer/);
    for (const version of ['15.0', '19beta1']) expect(() => checkVersion(version)).not.toThrow();
  });

  it('that is unreachable, without showing the password', async () => {
    const message = await errorOf('postgresql://alice:geheim@localhost:1/petstore');
    expect(message).toMatch(/"petstore" at localhost:1 as user "alice": connect ECONNREFUSED.* Start the server/);
    expect(message).not.toContain('geheim');
  });

  it('with a URL without a user', async () => {
    const { user } = defaults;
    onTestFinished(() => void Object.assign(defaults, { user }));
    Object.assign(defaults, { user: undefined });
    expect(await errorOf('postgresql://127.0.0.1:5432/petstore')).toBe(
      'DATABASE_URL has no user. The format is postgresql://user:password@host:5432/database.',
    );
  });

  it('with an invalid URL, without showing it', async () => {
    expect(await errorOf('postgresql://alice:geheim@[')).toBe(
      'DATABASE_URL is not valid. The format is postgresql://user:password@host:5432/database.',
    );
  });
});
