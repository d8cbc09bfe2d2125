import { describe, expect, it } from 'vitest';
import { checkMigrations } from '../src/migrate.js';
import { addMigrations, migrationFolder } from './migration-folder.js';
import { emptyDatabase, migrateQuietly, tablesOf } from './test-database.js';

describe('checkMigrations', () => {
  it('accepts a database with exactly the migrations of the directory, also if Git changed their line endings', async () => {
    const { url } = await emptyDatabase();
    const folder = await migrationFolder({ '1_a': '-- A table.\nCREATE TABLE a ();\n' });
    await migrateQuietly(url, folder);
    await expect(checkMigrations(url, folder)).resolves.toBeUndefined();
    await addMigrations(folder, { '1_a': '-- A table.\r\nCREATE TABLE a ();\r\n' });
    await expect(checkMigrations(url, folder)).resolves.toBeUndefined();
  });

  it('rejects an older database, and names the missing migrations', async () => {
    const { url } = await emptyDatabase();
    const folder = await migrationFolder({ '1_a': 'CREATE TABLE a ();' });
    await migrateQuietly(url, folder);
    await addMigrations(folder, { '2_b': 'CREATE TABLE b ();' });
    await expect(checkMigrations(url, folder)).rejects.toThrow(
      /^The database is older than this version of the service and lacks the migrations 2_b\. .* "migration apply"\.$/,
    );
    expect(await tablesOf(url)).not.toContain('b');
  });
});
