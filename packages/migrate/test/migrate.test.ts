import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { migrate } from '../src/migrate.js';
import { addMigrations, migrationFolder } from './migration-folder.js';
import { startMigrating, linesOf } from './migrate-process.js';
import { emptyDatabase, holdMigrationLock, migrateQuietly, tablesOf, untilSessions } from './test-database.js';

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

  it('runs once when several services start on an empty database', async () => {
    const { url } = await emptyDatabase();
    const folder = await migrationFolder({ '1_a': 'CREATE TABLE a ();', '2_b': 'CREATE TABLE b ();' });
    const release = await holdMigrationLock(url);
    const pending = [1, 2, 3].map(() => linesOf(startMigrating(url, folder)));
    await untilSessions(url, 'pg_try_advisory_lock', 3);
    await release();
    const outputs = await Promise.all(pending);
    const waiting = { log: 'Waiting for another process that is migrating the database.' };
    const others = outputs.filter((lines) => lines.at(-1)?.applied?.length === 0);
    for (const lines of others) expect(lines).toEqual([waiting, { applied: [] }]);
    expect(others).toHaveLength(2);
    const migrated = outputs.find((lines) => !others.includes(lines));
    expect(migrated?.[0]).toEqual(waiting);
    expect(migrated?.at(-1)).toEqual({ applied: ['1_a', '2_b'] });
  });

  it('continues after a process was killed during a migration', async () => {
    const { url } = await emptyDatabase();
    const folder = await migrationFolder(slowMigration);
    const killed = startMigrating(url, folder);
    await untilSessions(url, 'pg_sleep', 1);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(await tablesOf(url)).toEqual([]);
    expect(await migrateQuietly(url, folder)).toEqual(['1_slow', '2_quick']);
  });
});
