import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '@petstore/test-kit/program.js';
import { TestService } from '@petstore/test-kit/test-service.js';
import { expect, it, onTestFinished } from 'vitest';
import { writeBackup } from '../../src/platform/database/backup/write-backup.js';
import { createFolder } from '../support/folder.js';
import { createTestDatabase, execute } from '../support/scratch-database.js';
import { addCluster, apiOf } from '../support/service.js';

/** A directory with a backup of two animals under two names. */
async function createBackups(): Promise<{ directory: string; older: string; newer: string }> {
  const directory = join(await createFolder(), 'backups of the store');
  await mkdir(directory);
  const [older = '', newer = ''] = ['01', '02'].map((day) =>
    join(directory, `petstore-202601${day}T000000000Z.backup.gz`),
  );
  const { url } = await createTestDatabase();
  await execute(url, `INSERT INTO pet (name, category_id) VALUES ('Rex', 7), ('Max', 7)`);
  await writeBackup(older, url);
  await copyFile(older, newer);
  return { directory, older, newer };
}

it('a start creates no database while BACKUP_DIRECTORY has a backup, and works after the commands that it names', async () => {
  const { directory, older, newer } = await createBackups();
  const service = (await TestService.prepare()).with({ BACKUP_DIRECTORY: directory, LOG_FORMAT: 'pretty' });
  onTestFinished(() => service.remove());
  const manage = (...args: string[]) => runProgram('manage.js', args, service.variables);
  expect(await runProgram('main.js', [], service.variables)).toMatchObject({
    code: 78,
    stderr:
      `There is no database in ${service.dataDir}, but BACKUP_DIRECTORY has the backup ${newer}. If a disk is missing, mount ` +
      'it and start again. If the data is lost, run these commands with the same DATA_DIR, then start again:\n' +
      `  npm run migration:apply\n  npm run restore -- "${newer}"\n` +
      'For a new store, set BACKUP_DIRECTORY to another directory.\n',
  });
  expect(await readdir(service.dataDir)).toEqual([]);
  expect(await readdir(directory)).toHaveLength(2);

  await addCluster(service);
  expect(await manage('migration', 'apply')).toMatchObject({ code: 0 });
  expect(await manage('restore', older)).toMatchObject({ code: 0 });
  await service.start();
  expect((await apiOf(service).get('/v1/pets')).json).toHaveLength(2);
});
