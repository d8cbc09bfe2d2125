import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram, startProgram } from '@petstore/processes/program.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backups } from '../support/backups.js';
import { addPet } from '../support/pets.js';
import { countLockWaits, execute, hold } from '../support/scratch-database.js';
import { TestService } from '../support/test-service.js';

let backups: Backups;
let service: TestService;

beforeAll(async () => {
  backups = await Backups.create();
  service = await TestService.prepare();
  await service.start();
  await addPet(service.api, { name: 'Rex' });
});
afterAll(async () => {
  await service.remove();
  await backups.remove();
});

const backUp = (...args: string[]) => runProgram('manage.js', ['backup', ...args], service.variables);

describe('npm run backup', () => {
  it('writes one file that only its owner can read, and deletes what a killed backup left', async () => {
    const killed = `${backups.file}.7.tmp`;
    await writeFile(killed, '');
    await utimes(killed, 0, 0);
    const { code, stdout } = await backUp(backups.file);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Wrote .*petstore\.backup\.gz \(0\.0 MB\)\.\n$/)]);
    expect((await stat(backups.file)).mode & 0o777).toBe(0o600);
    expect(await readdir(backups.directory)).toEqual(['petstore.backup.gz']);
  });

  it('includes every table of the schema that is not rebuilt', async () => {
    const tables = await execute(
      await service.databaseUrl(),
      `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`,
    );
    const text = await backups.text();
    const included = [...text.matchAll(/^{"table":"(\w+)"/gm)].map(([, name]) => name);
    const expected = new Set([...included, '_prisma_migrations', 'pet_count']);
    expect(new Set(tables.map(({ tablename }) => tablename))).toEqual(expected);
  });

  it('verifies a backup in a temporary database', async () => {
    const { code, stdout, stderr } = await backUp('--verify', backups.file);
    expect([code, stdout]).toEqual([0, `${backups.file} is complete, and every row is unchanged.\n`]);
    expect(stderr).toBe('Compared pet: 1 rows.\nCompared api_key: 1 rows.\nCompared idempotency_record: 0 rows.\n');
  });

  it('finds a changed row in a backup', async () => {
    const changed = await backups.change((text) => text.replace('Rex', 'Max'));
    const { code, stderr } = await backUp('--verify', changed);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/the checksum of pet is wrong/)]);
  });

  it('keeps the newest backups of a directory, and every other file', async () => {
    const scheduled = join(backups.directory, 'scheduled');
    await mkdir(scheduled);
    const old = ['petstore-20200101T000000000Z.backup.gz', 'petstore-20200102T000000000Z.backup.gz', 'notes.txt'];
    for (const name of old) await writeFile(join(scheduled, name), '');
    const { code } = await backUp('--directory', scheduled, '--keep', '2');
    expect(code).toBe(0);
    const left = await readdir(scheduled);
    expect(left.filter((name) => /^notes|^petstore-2020/.test(name)).toSorted()).toEqual(['notes.txt', old[1]]);
    expect(left).toHaveLength(3);
  });

  it('does not write onto a directory, and names the option for it', async () => {
    const { code, stderr } = await backUp(backups.directory);
    expect([code, stderr]).toEqual([1, expect.stringMatching(`is a directory\\. .* --directory ${backups.directory}`)]);
  });

  it('does not replace a pipe or a device, or a link to a file', async () => {
    const pipe = join(backups.directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const { code, stderr } = await backUp(pipe);
    expect([code, stderr]).toEqual([1, `${pipe} is not a file. Name a file.\n`]);
    expect((await stat(pipe)).isFIFO()).toBe(true);

    const [link, target] = [join(backups.directory, 'latest'), join(backups.directory, 'target.backup.gz')];
    await writeFile(target, '');
    await symlink(target, link);
    expect((await backUp(link)).code).toBe(0);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect((await stat(target)).size).toBeGreaterThan(0);
  });

  it('rejects a database with a table that it does not know', async () => {
    const url = await service.databaseUrl();
    await execute(url, 'CREATE TABLE invoice ()');
    const { code, stderr } = await backUp(join(backups.directory, 'unknown-table.backup.gz'));
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/that this version of the service does not know: invoice\./),
    ]);
    expect(await readdir(backups.directory)).not.toContain('unknown-table.backup.gz');
    await execute(url, 'DROP TABLE invoice');
  });

  it('leaves no part of a file when it is interrupted', async () => {
    const url = await service.databaseUrl();
    const holder = await hold(url, 'LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE');
    const interrupted = join(backups.directory, 'interrupted');
    await mkdir(interrupted);
    const backup = startProgram('manage.js', ['backup', join(interrupted, 'file')], service.variables);
    // The service may wait for this lock too.
    await expect.poll(() => countLockWaits(url)).toBeGreaterThan(0);
    await expect.poll(() => readdir(interrupted)).toHaveLength(1);
    backup.kill('SIGINT');
    expect(await once(backup, 'exit')).toEqual([130, null]);
    expect(await readdir(interrupted)).toEqual([]);
    await holder.query('ROLLBACK');
  });

  it.each([
    [[], 'Give either a file, or --directory, or --verify.'],
    [['a', '--directory', 'b'], 'Give either a file, or --directory, or --verify.'],
    [['a', '--keep', '2'], '--keep needs --directory.'],
    [['--directory', 'a', '--keep', '0'], 'It must be a whole number from 1.'],
    [['/proc/petstore.backup.gz'], 'The backup to /proc/petstore.backup.gz failed: ENOENT'],
  ])('explains why it rejects the arguments %j', async (args, message) => {
    const { code, stderr } = await backUp(...args);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  });
});

describe('a migration of the embedded database', () => {
  const apply = () => runProgram('manage.js', ['migration', 'apply'], service.variables);

  beforeAll(async () => {
    await execute(await service.databaseUrl(), 'DELETE FROM _prisma_migrations');
    await service.end('SIGTERM');
  });

  it('does not run when the backup before it fails', async () => {
    await writeFile(join(service.dataDir, 'backups'), '');
    const { code, stderr } = await apply();
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The creation of .*backups failed: EEXIST/)]);
    await rm(join(service.dataDir, 'backups'));
  });

  it('runs after a backup', async () => {
    const { stdout } = await apply();
    const path = /^Backing up the database to (\S+\/backups\/before-\d+_init\.backup\.gz) before/m.exec(stdout)?.[1];
    expect((await runProgram('manage.js', ['backup', '--verify', String(path)], {})).code).toBe(0);
  });
});
