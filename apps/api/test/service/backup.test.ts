import { execFileSync } from 'node:child_process';
import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '@petstore/test-kit/program.js';
import type { TestService } from '@petstore/test-kit/test-service.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOf } from '../support/backups.js';
import { useFolder } from '../support/folder.js';
import { addPet } from '../support/pets.js';
import { execute } from '../support/scratch-database.js';
import { apiOf, prepareWithCluster } from '../support/service.js';

const folder = useFolder();
let service: TestService;

beforeAll(async () => {
  service = await prepareWithCluster();
  await service.start();
  await addPet(apiOf(service), { name: 'Rex' });
});
afterAll(() => service.remove());

const backUp = (...args: string[]) => runProgram('manage.js', ['backup', ...args], service.variables);

describe('npm run backup', () => {
  it('writes one file that only its owner can read', async () => {
    const backup = join(folder.path, 'petstore.backup.gz');
    const { code, stdout } = await backUp(backup);
    expect([code, stdout]).toEqual([0, `Wrote ${backup}.\n`]);
    expect((await stat(backup)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder.path)).toEqual(['petstore.backup.gz']);
  });

  it('changes nothing at a path that exists', async () => {
    const path = (name: string) => join(folder.path, name);
    await writeFile(path('good.backup.gz'), 'the only good backup');
    await symlink('nowhere', path('dangling'));
    execFileSync('mkfifo', [path('pipe')]);
    const before = await readdir(folder.path);
    for (const name of ['good.backup.gz', 'dangling', 'pipe', '']) {
      const { code, stderr } = await backUp(path(name));
      expect([code, stderr]).toEqual([
        1,
        `${join(path(name), '.')} already exists, and was not changed. Name a new file.\n`,
      ]);
    }
    expect(await readdir(folder.path)).toEqual(before);
    expect(await readFile(path('good.backup.gz'), 'utf8')).toBe('the only good backup');
  });

  it('rejects a database with a table that it does not know', async () => {
    const url = await service.databaseUrl();
    await execute(url, 'CREATE TABLE invoice ()');
    const { code, stderr } = await backUp(join(folder.path, 'unknown-table.backup.gz'));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/this version of the service does not know: invoice\./)]);
    expect(await readdir(folder.path)).not.toContain('unknown-table.backup.gz');
    await execute(url, 'DROP TABLE invoice');
  });

  it('needs a file or BACKUP_DIRECTORY', async () => {
    expect(await backUp()).toMatchObject({ code: 1, stderr: 'Name a file, or set BACKUP_DIRECTORY.\n' });
  });
});

it('a migration of the embedded database runs only after a backup, to BACKUP_DIRECTORY or DATA_DIR', async () => {
  const apply = () => runProgram('manage.js', ['migration', 'apply'], service.variables);
  await execute(await service.databaseUrl(), 'DELETE FROM _prisma_migrations');
  await service.end('SIGTERM');
  const file = join(folder.path, 'not-a-directory');
  await writeFile(file, '');
  service.with({ BACKUP_DIRECTORY: file });
  expect((await apply()).stderr).toContain(`The backup to ${file} failed: EEXIST`);
  service.with({ BACKUP_DIRECTORY: '' });
  expect((await apply()).stdout).toMatch(/^Backing up the database to \S+\/backups before the migration \d+_init\.$/m);
  const directory = join(service.dataDir, 'backups');
  const names = await readdir(directory);
  expect(names).toEqual([expect.stringMatching(/^petstore-\d{8}T\d{9}Z\.backup\.gz$/)]);
  expect(await textOf(join(directory, names[0] ?? ''))).toContain('"migrations":[],"animals":1,');
});
