import { describe, expect, it } from 'vitest';
import { checkMigrations } from '../src/migrate.js';
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

  it('rejects an older database, and names the missing migrations', async () => {
    const { url } = await emptyDatabase();
    await migrateQuietly(url, await migrationFolder(first));
    await expect(checkMigrations(url, await migrationFolder({ ...first, ...second }))).rejects.toThrow(
      /^The database is older than this version of the service and lacks the migrations 2_b\. .* "migration apply"\.$/,
    );
    expect(await tablesOf(url)).not.toContain('b');
  });

  it('ignores line endings, which Git may change', async () => {
    const { url } = await emptyDatabase();
    const folder = await migrationFolder({ '1_a': '-- A table.\nCREATE TABLE a ();\n' });
    await migrateQuietly(url, folder);
    await addMigrations(folder, { '1_a': '-- A table.\r\nCREATE TABLE a ();\r\n' });
    await expect(checkMigrations(url, folder)).resolves.toBeUndefined();
  });
});
