import { describe, expect, it } from 'vitest';
import { checkMigrations, ConnectionError } from '../src/migrate.js';
import { addMigrations, migrationFolder } from './migration-folder.js';
import { emptyDatabase, migrateQuietly, tablesOf } from './test-database.js';

const first = { '1_a': 'CREATE TABLE a ();' };
const second = { '2_b': 'CREATE TABLE b ();' };

describe('checkMigrations', () => {
  it('accepts a database with exactly the migrations of the directory', async () => {
    const { url } = await emptyDatabase();
    const folder = await migrationFolder({ ...first, ...second });
    await migrateQuietly(url, folder);
    await expect(checkMigrations(url, folder)).resolves.toBeUndefined();
  });

  it('rejects an empty database, and leaves it empty', async () => {
    const { url } = await emptyDatabase();
    await expect(checkMigrations(url, await migrationFolder(first))).rejects.toThrow(
      /^The database does not have the schema of the service yet\. .* "npm run migration:apply"\.$/,
    );
    expect(await tablesOf(url)).toEqual([]);
  });

  it('rejects an older database, and names the missing migrations', async () => {
    const { url } = await emptyDatabase();
    await migrateQuietly(url, await migrationFolder(first));
    await expect(checkMigrations(url, await migrationFolder({ ...first, ...second }))).rejects.toThrow(
      /^The database is older than this version of the service and lacks the migrations 2_b\. .* "npm run migration:apply"\.$/,
    );
    expect(await tablesOf(url)).not.toContain('b');
  });

  it('accepts a database with compatible migrations of a newer version, and returns a warning with their names', async () => {
    const { url } = await emptyDatabase();
    await migrateQuietly(url, await migrationFolder({ ...first, ...second }));
    expect(await checkMigrations(url, await migrationFolder(first))).toMatch(
      /^The database is newer than this version of the service, which does not know the migrations 2_b\. They do not break/,
    );
  });

  it('rejects a newer database if the name of an unknown migration ends in -breaking', async () => {
    const { url } = await emptyDatabase();
    await migrateQuietly(url, await migrationFolder({ ...first, ...second, '3_c-breaking': 'DROP TABLE a;' }));
    await expect(checkMigrations(url, await migrationFolder(first))).rejects.toThrow(
      'does not know the migrations 2_b, 3_c-breaking. Use the version that applied them, or a later one.',
    );
  });

  it('ignores line endings, which Git may change', async () => {
    const { url } = await emptyDatabase();
    const folder = await migrationFolder({ '1_a': '-- A table.\nCREATE TABLE a ();\n' });
    await migrateQuietly(url, folder);
    await addMigrations(folder, { '1_a': '-- A table.\r\nCREATE TABLE a ();\r\n' });
    await expect(checkMigrations(url, folder)).resolves.toBeUndefined();
  });

  it('throws a ConnectionError if the server is unreachable', async () => {
    const folder = await migrationFolder(first);
    await expect(checkMigrations('postgresql://user@localhost:1/petstore', folder)).rejects.toThrow(ConnectionError);
  });
});
