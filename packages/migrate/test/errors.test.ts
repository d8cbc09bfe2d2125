import { inject, describe, expect, it } from 'vitest';
import { checkVersion } from '../src/connection.js';
import { ConnectionError, MigrationError } from '../src/migration-error.js';
import { migrationFolder } from './migration-folder.js';
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
  const [a, b, theirs] = ['CREATE TABLE a ();', 'CREATE TABLE b ();', 'CREATE TABLE theirs ();'];
  it.each<[kind: string, applied: Record<string, string>, wanted: Record<string, string>, message: RegExp]>([
    [
      'that is newer than the code and breaks it, and names the unknown migrations',
      { '1_a': a, '2_b-breaking': 'ALTER TABLE a ADD COLUMN b int;' },
      { '1_a': a },
      /newer than this version.* 2_b-breaking\. Use the version/,
    ],
    ['with unknown and missing migrations', { '1_a': a, '2_b': b }, { '1_a': a, '3_c': theirs }, /2_b/],
    [
      'of a development version, whose migrations were edited after they were applied',
      { '1_a': a },
      { '1_a': 'CREATE TABLE a (id int);', '2_b': b },
      /^A development version of Petstore created the database: its migrations 1_a differ .* set DATA_DIR to a new directory or/,
    ],
  ])('%s, and changes nothing', async (_kind, applied, wanted, message) => {
    const { url } = await emptyDatabase();
    await migrateQuietly(url, await migrationFolder(applied));
    const before = await tablesOf(url);
    expect(await errorOf(url, await migrationFolder(wanted))).toMatch(message);
    expect(await tablesOf(url)).toEqual(before);
  });

  it('with the tables of another application, and changes nothing', async () => {
    const { url, name } = await emptyDatabase();
    await query(url, 'CREATE TABLE theirs ()');
    const found = `The database "${name}" has tables, but no record of this service's migrations, so nothing was changed.`;
    expect(await errorOf(url)).toContain(found);
    expect(await tablesOf(url)).toEqual(['theirs']);
  });

  it('that does not exist', async () => {
    const url = new URL(inject('serverUrl'));
    url.pathname = '/no_such_database';
    expect(await errorOf(url.href)).toMatch(/"no_such_database" does not exist\. Fix this, or correct DATABASE_URL\./);
  });

  it('if the directory of the migrations does not exist', async () => {
    const { url } = await emptyDatabase();
    expect(await errorOf(url, '/nowhere/migrations')).toContain(
      'Cannot read the migrations in /nowhere/migrations: ENOENT',
    );
  });

  it('on an unreachable server, without showing the password', async () => {
    const url = 'postgresql://alice:geheim@localhost:1/petstore';
    await expect(migrateQuietly(url, await migrationFolder({}))).rejects.toThrow(ConnectionError);
    const message = await errorOf(url);
    expect(message).toMatch(/"petstore" at localhost:1 as user "alice": connect ECONNREFUSED.* correct DATABASE_URL\./);
    expect(message).not.toContain('geheim');
  });

  it('on a server that is older than PostgreSQL 15, and names its version', () => {
    expect(() => checkVersion('14.12 (Debian 14.12-1)')).toThrow(
      /PostgreSQL 14\.12 \(Debian 14\.12-1\), but PostgreSQL 15 or newer/,
    );
    expect(() => checkVersion('9.6.24')).toThrow(MigrationError);
    for (const version of ['15.18 (Debian 15.18-0+deb12u1)', '18.4', '19beta1']) {
      expect(() => checkVersion(version)).not.toThrow();
    }
  });
});

it('migrate accepts a database whose only tables belong to an extension', async () => {
  const { url } = await emptyDatabase();
  await query(url, 'CREATE EXTENSION file_fdw; CREATE TABLE theirs (); ALTER EXTENSION file_fdw ADD TABLE theirs');
  expect(await migrateQuietly(url, await migrationFolder({ '1_a': 'CREATE TABLE a ();' }))).toEqual(['1_a']);
});
