import { copyFile, readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '@petstore/test-kit/program.js';
import { TestService } from '@petstore/test-kit/test-service.js';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { writeBackup } from '../../src/platform/database/backup/write-backup.js';
import { createFolder, useFolder } from '../support/folder.js';
import { createEmptyDatabase, createTestDatabase, execute, useDatabase } from '../support/scratch-database.js';
import { addCluster, apiOf } from '../support/service.js';
import { startError } from '../support/start-error.js';

const message =
  'The database has no animals, but BACKUP_DIRECTORY has a backup with 2. Is a disk missing? ' +
  'Restore the backup, or use another BACKUP_DIRECTORY for a new store.';

const folder = useFolder();
const store = useDatabase();
/** Backups of the store with two animals, and of the store without any. */
let backup: string;
let backupOfNone: string;
beforeAll(async () => {
  [backup, backupOfNone] = [join(folder.path, 'two'), join(folder.path, 'none')];
  await writeBackup(backupOfNone, store.url);
  await execute(store.url, `INSERT INTO pet (name, category_id) VALUES ('Rex', 7), ('Max', 7)`);
  await writeBackup(backup, store.url);
});

/** A BACKUP_DIRECTORY with copies of a backup under these names. */
async function directoryWith(original: string, ...names: string[]): Promise<string> {
  const directory = await createFolder();
  for (const name of names) await copyFile(original, join(directory, name));
  return directory;
}

const [older, newer] = ['petstore-20260101T000000000Z.backup.gz', 'petstore-20260102T000000000Z.backup.gz'];

describe('a start without animals, while a backup has some', () => {
  it('is refused before an embedded database is created, also if a newer one is damaged, and works after a restore', async () => {
    const directory = await directoryWith(backup, older, newer);
    await truncate(join(directory, newer), 20);
    const service = (await TestService.prepare()).with({ BACKUP_DIRECTORY: directory, LOG_FORMAT: 'pretty' });
    onTestFinished(() => service.remove());
    const start = () => runProgram('main.js', [], service.variables);
    const manage = (...args: string[]) => runProgram('manage.js', args, service.variables);
    const { code, stderr } = await start();
    expect([code, stderr]).toEqual([
      78,
      expect.stringContaining(`${message} The backup is ${join(directory, older)}.`),
    ]);
    expect(await readdir(service.dataDir)).toEqual([]);
    expect((await readdir(directory)).toSorted()).toEqual([older, newer]);

    await addCluster(service);
    expect(await manage('migration', 'apply')).toMatchObject({ code: 0 });
    expect(await start()).toMatchObject({ code: 78 });
    expect(await manage('restore', join(directory, older))).toMatchObject({ code: 0 });
    await service.start();
    expect((await apiOf(service).get('/v1/pets')).json).toHaveLength(2);
  });

  it('is refused on a server, whether or not the start would migrate', async () => {
    const BACKUP_DIRECTORY = await directoryWith(backup, older);
    const [empty, migrated] = [await createEmptyDatabase(), await createTestDatabase()];
    onTestFinished(() => empty.drop());
    for (const { url } of [empty, migrated]) expect(await startError(url, { BACKUP_DIRECTORY })).toContain(message);
    const unmigrating = { BACKUP_DIRECTORY, MIGRATE_ON_START: 'false' };
    expect(await startError(migrated.url, unmigrating)).toContain(message);
    expect(await execute(empty.url, `SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
  });

  it('is refused when the only backup was renamed, or cannot be read', async () => {
    const { url } = await createTestDatabase();
    const renamed = await directoryWith(backup, 'petstore-2026-11-25.backup.gz');
    expect(await startError(url, { BACKUP_DIRECTORY: renamed })).toContain(message);
    const damaged = await directoryWith(backup, older);
    await truncate(join(damaged, older), 20);
    expect(await startError(url, { BACKUP_DIRECTORY: damaged })).toContain('has a backup that cannot be read');
  });

  it('works when no backup has animals', async () => {
    const directory = await directoryWith(backupOfNone, older, newer);
    const { url } = await createTestDatabase();
    expect(await startError(url, { BACKUP_DIRECTORY: directory })).toBe('');
  });
});
