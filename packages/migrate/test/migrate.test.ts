import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { migrate } from '../src/migrate.js';
import { addMigrations, migrationFolder } from './migration-folder.js';
import { emptyDatabase, migrateQuietly, query, tablesOf } from './test-database.js';

const slowMigration = { '1_slow': 'CREATE TABLE slow (); SELECT pg_sleep(1);', '2_quick': 'CREATE TABLE quick ();' };

describe('migrate', () => {
  it('applies all missing migrations, whatever their order', async () => {
    const { url } = await emptyDatabase();
    const folder = await migrationFolder({ '1_a': 'CREATE TABLE a ();', '3_c': 'CREATE TABLE c ();' });
    await migrateQuietly(url, folder);
    await addMigrations(folder, { '2_b': 'CREATE TABLE b ();', '4_d': 'CREATE TABLE d ();' });
    expect(await migrateQuietly(url, folder)).toEqual(['2_b', '4_d']);
    expect(await migrateQuietly(url, folder)).toEqual([]);
  });

  it('applies nothing to a newer database whose migrations do not break this version, and warns', async () => {
    const { url } = await emptyDatabase();
    const older = { '1_a': 'CREATE TABLE a ();' };
    await migrateQuietly(url, await migrationFolder({ ...older, '2_b': 'CREATE TABLE b ();' }));
    const warnings: string[] = [];
    const warn = (text: string) => warnings.push(text);
    expect(await migrate(url, { directory: await migrationFolder(older), log: () => undefined, warn })).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('does not know the migrations 2_b. They do not break')]);
  });

  it('continues after its connection was lost during a migration', async () => {
    const { url } = await emptyDatabase();
    const folder = await migrationFolder(slowMigration);
    const lost = expect(migrateQuietly(url, folder)).rejects.toThrow('The migration 1_slow failed: ');
    const ended = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%pg_sleep%'`;
    while ((await query(url, ended)).length === 0) await sleep(20);
    await lost;
    expect(await tablesOf(url)).toEqual([]);
    expect(await migrateQuietly(url, folder)).toEqual(['1_slow', '2_quick']);
  });
});
