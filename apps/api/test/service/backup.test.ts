import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram, startProgram } from '@petstore/test-kit/program.js';
import type { TestService } from '@petstore/test-kit/test-service.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedCopy } from '../support/backups.js';
import { useFolder } from '../support/folder.js';
import { addPet } from '../support/pets.js';
import { countLockWaits, execute, hold } from '../support/scratch-database.js';
import { apiOf, prepareWithCluster } from '../support/service.js';

const folder = useFolder();
let backup: string;
let service: TestService;

beforeAll(async () => {
  backup = join(folder.path, 'petstore.backup.gz');
  service = await prepareWithCluster();
  await service.start();
  await addPet(apiOf(service), { name: 'Rex' });
});
afterAll(() => service.remove());

const backUp = (...args: string[]) => runProgram('manage.js', ['backup', ...args], service.variables);

describe('npm run backup', () => {
  it('writes one file that only its owner can read', async () => {
    const { code, stdout } = await backUp(backup);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Wrote .*petstore\.backup\.gz \(0\.0 MB\)\.\n$/)]);
    expect((await stat(backup)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder.path)).toEqual(['petstore.backup.gz']);
  });

  it('verifies a backup in a temporary database', async () => {
    const { code, stdout, stderr } = await backUp('--verify', backup);
    expect([code, stdout]).toEqual([0, `${backup} is complete, and every row is unchanged.\n`]);
    expect(stderr).toBe('Compared pet: 1 rows.\nCompared api_key: 1 rows.\nCompared idempotency_record: 0 rows.\n');
  });

  it('finds a changed row in a backup', async () => {
    const changed = await changedCopy(backup, (text) => text.replace('Rex', 'Max'));
    const { code, stderr } = await backUp('--verify', changed);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/the checksum of pet is wrong/)]);
  });

  it('changes nothing at a path that exists', async () => {
    const path = (name: string) => join(folder.path, name);
    await writeFile(path('good.backup.gz'), 'the only good backup');
    await writeFile(path('empty.backup.gz'), '');
    await symlink('good.backup.gz', path('link'));
    await symlink('nowhere', path('dangling'));
    execFileSync('mkfifo', [path('pipe')]);
    const before = await readdir(folder.path);
    for (const name of ['good.backup.gz', 'empty.backup.gz', 'link', 'dangling', 'pipe']) {
      const { code, stderr } = await backUp(path(name));
      expect([code, stderr]).toEqual([1, `${path(name)} already exists, and was not changed. Name a new file.\n`]);
    }
    const { code, stderr } = await backUp(folder.path);
    expect([code, stderr]).toEqual([1, `${folder.path} is a directory. Name a new file in it.\n`]);
    expect(await readdir(folder.path)).toEqual(before);
    expect(await readFile(path('good.backup.gz'), 'utf8')).toBe('the only good backup');
  });

  it('rejects a database with a table that it does not know', async () => {
    const url = await service.databaseUrl();
    await execute(url, 'CREATE TABLE invoice ()');
    const { code, stderr } = await backUp(join(folder.path, 'unknown-table.backup.gz'));
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/that this version of the service does not know: invoice\./),
    ]);
    expect(await readdir(folder.path)).not.toContain('unknown-table.backup.gz');
    await execute(url, 'DROP TABLE invoice');
  });

  it('leaves no part of a file when it is interrupted', async () => {
    const url = await service.databaseUrl();
    const holder = await hold(url, 'LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE');
    const interrupted = join(folder.path, 'interrupted');
    await mkdir(interrupted);
    const program = startProgram('manage.js', ['backup', join(interrupted, 'file')], service.variables);
    // The service may wait for this lock too.
    await expect.poll(() => countLockWaits(url)).toBeGreaterThan(0);
    await expect.poll(() => readdir(interrupted)).toHaveLength(1);
    program.kill('SIGINT');
    expect(await once(program, 'exit')).toEqual([130, null]);
    expect(await readdir(interrupted)).toEqual([]);
    await holder.query('ROLLBACK');
  });

  it.each([
    [[], 'Name a file, or set BACKUP_DIRECTORY.'],
    [['a', '--verify', 'b'], 'Give either a file or --verify.'],
    [['~/backup.gz'], 'It must be the path of a file without quotation marks'],
    [['--verify', '"backup.gz"'], 'Write the whole path'],
    [['/proc/petstore.backup.gz'], 'The backup to /proc/petstore.backup.gz failed: ENOENT'],
  ])('explains why it rejects the arguments %j', async (args, message) => {
    const { code, stderr } = await backUp(...args);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  });
});

describe('a migration of the embedded database', () => {
  const apply = () => runProgram('manage.js', ['migration', 'apply'], service.variables);

  /** The path of the only file, a dated backup. */
  async function onlyFile(directory: string): Promise<string> {
    const names = await readdir(directory);
    expect(names).toEqual([expect.stringMatching(/^petstore-\d{8}T\d{9}Z\.backup\.gz$/)]);
    return join(directory, String(names[0]));
  }

  beforeAll(async () => {
    await execute(await service.databaseUrl(), 'DELETE FROM _prisma_migrations');
    await service.end('SIGTERM');
  });

  it('does not run when the backup before it fails', async () => {
    await writeFile(join(service.dataDir, 'backups'), '');
    const { code, stderr } = await apply();
    expect([code, stderr]).toEqual([1, expect.stringMatching(/The backup to .*backups failed: EEXIST/)]);
    await rm(join(service.dataDir, 'backups'));
  });

  it('runs after a backup, which is complete', async () => {
    const { stdout } = await apply();
    expect(stdout).toMatch(/^Backing up the database to \S+\/backups before the migration \d+_init\.$/m);
    const file = await onlyFile(join(service.dataDir, 'backups'));
    expect((await runProgram('manage.js', ['backup', '--verify', file], {})).code).toBe(0);
  });

  it('runs after a backup into BACKUP_DIRECTORY, if that is set', async () => {
    const directory = join(folder.path, 'migration');
    service.with({ BACKUP_DIRECTORY: directory });
    await apply();
    expect(await onlyFile(directory)).toMatch(/\.backup\.gz$/);
  });
});
