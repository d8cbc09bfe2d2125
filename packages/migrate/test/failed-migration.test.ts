import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { migrate } from '../src/migrate.js';
import { addMigrations, migrationFolder } from './migration-folder.js';
import { emptyDatabase, holdMigrationLock, migrateQuietly, query, tablesOf, untilSessions } from './test-database.js';

describe('a migration that fails', () => {
  it('is rolled back, and applied after a fix', async () => {
    const { url } = await emptyDatabase();
    const folder = await migrationFolder({
      '1_good': 'CREATE TABLE good (id int);',
      '2_bad': 'CREATE TABLE bad (id int);\nINSERT INTO good VALUES (1);\nSELECT nonsense FROM bad;',
    });
    await expect(migrateQuietly(url, folder)).rejects.toThrow(
      /^The migration 2_bad failed: column "nonsense" does not exist; line 3\. Fix the migration\. It was rolled back/,
    );
    expect(await tablesOf(url)).toEqual(['_prisma_migrations', 'good']);
    expect(await query(url, 'SELECT * FROM good')).toEqual([]);
    await addMigrations(folder, { '2_bad': 'CREATE TABLE bad (id int);' });
    expect(await migrateQuietly(url, folder)).toEqual(['2_bad']);
  });

  it('leaves an empty database empty', async () => {
    const { url } = await emptyDatabase();
    await expect(migrateQuietly(url, await migrationFolder({ '1_bad': 'CREATE TABLE bad (' }))).rejects.toThrow(
      '1_bad',
    );
    expect(await tablesOf(url)).toEqual([]);
  });

  it('and contains a COMMIT is reported, and the next run is rejected', async () => {
    const { url } = await emptyDatabase();
    const folder = await migrationFolder({ '1_half': 'CREATE TABLE half (); COMMIT; SELECT nonsense;' });
    await expect(migrateQuietly(url, folder)).rejects.toThrow('Part of it may be in the database');
    await expect(migrateQuietly(url, folder)).rejects.toThrow(
      /^The migration 1_half started at 20\d\d-.*Z and has not finished\./,
    );
  });

  it('is retried after the SQL in the error marked it as rolled back', async () => {
    const { url } = await emptyDatabase();
    const folder = await migrationFolder({ '1_half': 'CREATE TABLE half (); COMMIT; SELECT nonsense;' });
    await migrateQuietly(url, folder).catch(() => undefined);
    const { message } = (await migrateQuietly(url, folder).catch((error: Error) => error)) as Error;
    await query(url, `DROP TABLE half; ${/UPDATE .*;$/.exec(message)?.[0]}`);
    await addMigrations(folder, { '1_half': 'CREATE TABLE half ();' });
    expect(await migrateQuietly(url, folder)).toEqual(['1_half']);
  });

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

  it.each(['statement_timeout', 'idle_session_timeout'])(
    'is not one that takes longer than the %s of its role',
    async (setting) => {
      const { url } = await emptyDatabase();
      const withTimeout = new URL(url);
      withTimeout.searchParams.set('options', `-c ${setting}=100`);
      const folder = await migrationFolder({ '1_slow': 'SELECT pg_sleep(0.3);' });
      const beforeFirst = () => sleep(300);
      const migration = migrate(withTimeout.href, { directory: folder, log: () => undefined, beforeFirst });
      expect(await migration).toEqual(['1_slow']);
    },
  );

  it('stops waiting for a table lock after the timeout', async () => {
    const { url } = await emptyDatabase();
    const folder = await migrationFolder({ '1_a': 'CREATE TABLE a ();' });
    await migrateQuietly(url, folder);
    await addMigrations(folder, { '2_b': 'ALTER TABLE a ADD COLUMN b int;' });
    const holder = query(url, 'BEGIN; LOCK TABLE a; SELECT pg_sleep(2); COMMIT;');
    await untilSessions(url, 'LOCK TABLE', 1);
    const migration = migrate(url, { directory: folder, log: () => undefined, lockTimeoutMs: 300 });
    await expect(migration).rejects.toThrow('The migration 2_b failed: canceling statement due to lock timeout');
    await holder;
  });
});
