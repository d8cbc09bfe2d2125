import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, runProgram } from '@petstore/test-kit/program.js';
import type { TestService } from '@petstore/test-kit/test-service.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { textOf } from '../support/backups.js';
import { createFolder, useFolder } from '../support/folder.js';
import { addPet } from '../support/pets.js';
import { execute, hold } from '../support/scratch-database.js';
import { apiOf, prepareWithCluster } from '../support/service.js';

const folder = useFolder();
let service: TestService;
/** The value of BACKUP_DIRECTORY, which the service creates. */
let directory: string;

beforeAll(async () => {
  directory = join(folder.path, 'scheduled');
  service = (await prepareWithCluster()).with({
    BACKUP_DIRECTORY: directory,
    BACKUP_EVERY_MINUTES: '30',
    METRICS_PORT: String(await freePort()),
    LOG_LEVEL: 'info',
  });
  await service.start();
  await addPet(apiOf(service));
});
afterAll(() => service.remove());

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('a scheduled backup', () => {
  /** The next backup begins up to 5 s later. */
  const patient = { timeout: 20_000 };
  const files = () => readdir(directory).catch(() => []);
  const metrics = async () => (await fetch(`http://127.0.0.1:${service.variables['METRICS_PORT']}/metrics`)).text();

  it('is written to BACKUP_DIRECTORY soon after the first start, and only its owner can read it', async () => {
    await expect.poll(() => service.output).toContain(`Backups   every 30 minutes, in ${directory}`);
    expect(service.output).toContain(`"msg":"Created ${directory}, the directory of BACKUP_DIRECTORY."`);
    await expect.poll(files, patient).toEqual([expect.stringMatching(/Z\.backup\.gz$/)]);
    const [name = ''] = await files();
    expect(await modeOf(join(directory, name))).toBe(0o600);
    await expect.poll(() => service.output).toContain('"event":"backup_written"');
    expect(await metrics()).toMatch(/^petstore_backup_last_success_timestamp_seconds 1\d{9}\.?\d*$/m);
    expect(await metrics()).toMatch(/^petstore_backup_interval_seconds 1800$/m);
  });

  it('in progress is ended by a stop, without an error', async () => {
    const holder = await hold(await service.databaseUrl(), 'LOCK TABLE idempotency_record IN ACCESS EXCLUSIVE MODE');
    // PostgreSQL ends the connection.
    holder.on('error', () => undefined);
    // Without a backup, the next one is due.
    for (const name of await files()) await rm(join(directory, name));
    await expect.poll(files, patient).toEqual(['unfinished.backup.tmp']);
    expect(await service.end('SIGTERM')).toBe(0);
    expect(service.output).not.toContain('backup_failed');
  });
});

/** A directory on another disk than the temporary directories: Linux keeps it in memory. */
const otherDisk = '/dev/shm';
const hasOtherDisk = existsSync(otherDisk) && statSync(otherDisk).dev !== statSync(tmpdir()).dev;

it.skipIf(!hasOtherDisk)('the log says when BACKUP_DIRECTORY is on the same disk as DATA_DIR, also later', async () => {
  const [mounted, below, place] = [await mkdtemp(`${otherDisk}/petstore-`), await createFolder(), await createFolder()];
  onTestFinished(() => rm(mounted, { recursive: true }));
  // The link stands for a mount point. Only root may mount.
  const mountPoint = join(place, 'usb');
  await symlink(mounted, mountPoint);
  const patient = { timeout: 20_000 };
  await service.with({ BACKUP_DIRECTORY: mountPoint }).start();
  service.output = '';
  await expect.poll(() => service.output, patient).toContain('"event":"backup_written"');
  await rm(mountPoint);
  await symlink(below, mountPoint);
  await expect
    .poll(() => service.output, patient)
    .toMatch(/"event":"backup_on_same_disk".*BACKUP_DIRECTORY .*usb is on the/);
  // The backup before that was on the other disk.
  const events = [...service.output.matchAll(/"event":"backup_(\w+)"/g)].map(([, event]) => event);
  expect(events).toEqual(['written', 'written', 'on_same_disk']);
  expect(await service.end('SIGTERM')).toBe(0);
});

describe('npm run backup', () => {
  beforeAll(async () => {
    await service.with({ BACKUP_DIRECTORY: '' }).start();
    await addPet(apiOf(service));
  });

  const pathOf = (name: string) => join(folder.path, name);
  const backUp = (...args: string[]) => runProgram('manage.js', ['backup', ...args], service.variables);

  it('writes one file that only its owner can read', async () => {
    const path = pathOf('petstore.backup.gz');
    expect(await backUp(path)).toMatchObject({ code: 0, stdout: `Wrote ${path}.\n` });
    expect(await modeOf(path)).toBe(0o600);
    expect(await readdir(folder.path)).toEqual(['petstore.backup.gz', 'scheduled']);
  });

  it('keeps backups of the future, and its own: only an older one is deleted', async () => {
    const [old = '', ...kept] = ['20260101T000000000Z', '20260101T010000000Z', '21260101T000000000Z'].map(
      (time) => `petstore-${time}.backup.gz`,
    );
    const variables = { ...service.variables, BACKUP_DIRECTORY: await createFolder(), BACKUP_KEEP: '1' };
    for (const name of [old, ...kept]) await writeFile(join(variables.BACKUP_DIRECTORY, name), '');
    const result = await runProgram('manage.js', ['backup'], variables);
    expect(result).toMatchObject({ code: 0 });
    const [, written] = /^Wrote .*\/(.*)\.\n$/.exec(result.stdout) ?? [];
    expect(new Set(await readdir(variables.BACKUP_DIRECTORY))).toEqual(new Set([...kept, written]));
  });

  it('changes nothing at a path that exists', async () => {
    await writeFile(pathOf('good.backup.gz'), 'the only good backup');
    await symlink('nowhere', pathOf('dangling'));
    execFileSync('mkfifo', [pathOf('pipe')]);
    const before = await readdir(folder.path);
    for (const path of ['good.backup.gz', 'dangling', 'pipe', '.'].map(pathOf)) {
      const stderr = `${path} already exists, and was not changed. Name a new file.\n`;
      expect(await backUp(path)).toMatchObject({ code: 1, stderr });
    }
    expect(await readdir(folder.path)).toEqual(before);
    expect(await readFile(pathOf('good.backup.gz'), 'utf8')).toBe('the only good backup');
  });

  it.each([
    ['', /^Name a file, or set BACKUP_DIRECTORY\.\n$/],
    ['/dev/none', /^\/dev\/none does not exist\. Is a disk missing\? Mount it, or create the dir/],
  ])('needs a file, or a BACKUP_DIRECTORY that exists: "%s"', async (BACKUP_DIRECTORY, reason) => {
    const result = await runProgram('manage.js', ['backup'], { ...service.variables, BACKUP_DIRECTORY });
    expect(result).toMatchObject({ code: 1, stderr: expect.stringMatching(reason) as string });
  });

  it('rejects a database with a table that it does not know', async () => {
    const url = await service.databaseUrl();
    await execute(url, 'CREATE TABLE invoice ()');
    const stderr = expect.stringMatching(/this version of the service does not know: invoice\./) as string;
    expect(await backUp(pathOf('unknown-table.backup.gz'))).toMatchObject({ code: 1, stderr });
    expect(await readdir(folder.path)).not.toContain('unknown-table.backup.gz');
    await execute(url, 'DROP TABLE invoice');
  });
});

it('a migration of the embedded database runs only after a backup, to BACKUP_DIRECTORY or DATA_DIR', async () => {
  const apply = () => runProgram('manage.js', ['migration', 'apply'], service.variables);
  await execute(await service.databaseUrl(), 'DELETE FROM _prisma_migrations');
  await service.end('SIGTERM');
  const file = join(folder.path, 'not-a-directory');
  await writeFile(file, '');
  service.with({ BACKUP_DIRECTORY: file });
  expect((await apply()).stderr).toContain(`The backup to ${file} failed: ENOTDIR`);
  service.with({ BACKUP_DIRECTORY: '' });
  expect((await apply()).stdout).toMatch(/^Backing up the database to \S+\/backups before the migration \d+_init\.$/m);
  const backups = join(service.dataDir, 'backups');
  const names = await readdir(backups);
  expect(names).toEqual([expect.stringMatching(/^petstore-\d{8}T\d{9}Z\.backup\.gz$/)]);
  expect(await textOf(join(backups, names[0] ?? ''))).toMatch(/"migrations":\[\],.*\tRex\t/s);
});
