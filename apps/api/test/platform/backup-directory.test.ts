import { type FileHandle, open, readdir, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  backUpIfDue,
  backUpInto,
  findBackup,
  isDue,
  oldBackups,
} from '../../src/platform/database/backup/backup-directory.js';
import { readConfig } from '../../src/platform/config/config.js';
import { backupLock } from '../../src/platform/database/locks.js';
import { createFolder } from '../support/folder.js';
import { createTestDatabase, execute, hold } from '../support/scratch-database.js';

const hour = 3_600_000;
const nameOf = (time: string) => `petstore-${time.replaceAll(/[-:.]/g, '')}.backup.gz`;

async function directoryWith(...names: string[]): Promise<string> {
  const directory = await createFolder();
  for (const name of names) await writeFile(join(directory, name), 'a backup');
  return directory;
}

const addAnimals = (url: string, rows: number) =>
  execute(url, `INSERT INTO pet (name, category_id) SELECT 'Rex', 7 FROM generate_series(1, ${rows})`);

/** The URL of a database with this number of animals. */
async function storeWith(rows: number): Promise<string> {
  const { url } = await createTestDatabase();
  await addAnimals(url, rows);
  return url;
}

const [halfAnHourOld, dayOld] = [nameOf('2026-11-23T11:30:00.000Z'), nameOf('2026-11-22T11:59:00.000Z')];

it.each([
  ['is due without an earlier one', [], true],
  ['is not due within the interval after the newest', [halfAnHourOld, dayOld], false],
  ['is due after the interval', [dayOld], true],
  ['is due after other files', ['petstore-monday.backup.gz'], true],
  ['is due after one that was written before the clock was corrected', [nameOf('2027-01-01T00:00:00.000Z')], true],
])('a scheduled backup %s', async (_when, names, due) => {
  const schedule = { directory: await directoryWith(...names), everyMs: hour, keep: 1 };
  expect(await isDue(schedule, Date.parse('2026-11-23T12:00:00.000Z'))).toBe(due);
});

it.each([
  ['the newest backup', [dayOld, halfAnHourOld, nameOf('2126-01-01T00:00:00.000Z'), 'z.backup.gz'], halfAnHourOld],
  [
    'one that is dated after now',
    ['notes.txt', nameOf('2126-01-01T00:00:00.000Z')],
    nameOf('2126-01-01T00:00:00.000Z'),
  ],
  ['one with another name', ['unfinished.backup.tmp', 'monday.backup.gz'], 'monday.backup.gz'],
  ['none', ['unfinished.backup.tmp', 'notes.txt', 'export.csv.gz'], undefined],
])('the backup of a directory, which a start must not replace by an empty database, is %s', async (_, names, found) => {
  const directory = await directoryWith(...names);
  const expected = found === undefined ? undefined : join(directory, found);
  expect(await findBackup(readConfig({ BACKUP_DIRECTORY: directory }))).toBe(expected);
});

it('the backups that are deleted are neither among the newest nor the last of one of 14 days', () => {
  const day = (number: number) => `2026-11-${String(number).padStart(2, '0')}`;
  const days = Array.from({ length: 20 }, (_, index) => day(index + 1));
  const names = days.flatMap((date) => [nameOf(`${date}T08:00:00.000Z`), nameOf(`${date}T20:00:00.000Z`)]);
  const old = new Set(oldBackups(names, { keep: 3, now: Date.parse(`${day(20)}T20:00:00.000Z`) }));
  expect(names.filter((name) => !old.has(name))).toEqual([
    ...days.slice(6, 19).map((date) => nameOf(`${date}T20:00:00.000Z`)),
    nameOf(`${day(20)}T08:00:00.000Z`),
    nameOf(`${day(20)}T20:00:00.000Z`),
  ]);
});

describe('a scheduled backup', () => {
  it('is not written while another process writes one of this database', async () => {
    const url = await storeWith(0);
    const directory = await directoryWith();
    const holder = await hold(url, `SELECT pg_advisory_xact_lock(${backupLock})`);
    const backUp = () => backUpIfDue({ directory, everyMs: hour, keep: 1 }, url);
    expect(await backUp()).toBeUndefined();
    expect(await readdir(directory)).toEqual([]);
    await holder.query('ROLLBACK');
    expect((await backUp())?.path).toMatch(/petstore-\d{8}T\d{9}Z\.backup\.gz$/);
    expect(await backUp()).toBeUndefined();
  });

  it('is skipped, and reported, when less space is free than twice the last one', async () => {
    const [old, last] = [nameOf('2026-01-01T00:00:00.000Z'), nameOf('2026-01-01T01:00:00.000Z')];
    const future = nameOf('2031-01-01T00:00:00.000Z');
    const directory = await directoryWith(old, last, future);
    // A sparse file, which takes no space.
    await truncate(join(directory, last), 2 ** 42);
    await expect(backUpIfDue({ directory, everyMs: hour, keep: 1 }, '')).rejects.toThrow(
      /^No backup was written: .* 8796157\.0 MB are required: /,
    );
    expect((await readdir(directory)).toSorted()).toEqual([old, last, future]);
  });
});

/** Lets each sync of a directory fail. */
async function refuseSync(code: string): Promise<void> {
  const handle = await open(tmpdir());
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function refuse(this: FileHandle) {
    if ((await this.stat()).isDirectory()) throw Object.assign(new Error(`${code}: fsync`), { code });
    await this.datasync();
  });
  onTestFinished(() => spy.mockRestore());
}

describe('a backup in a directory', () => {
  const times = Array.from({ length: 20 }, (_, hours) => new Date(Date.UTC(2026, 0, 1, hours)).toISOString());

  it('deletes the older ones, and what killed backups left, but no other file', async () => {
    const directory = await directoryWith(...times.map(nameOf), 'petstore-manual.backup.gz', 'notes.txt');
    const killed = join(directory, `${nameOf('2026-01-01T00:00:00.000Z')}.7.tmp`);
    const killedInFuture = join(directory, `${nameOf('2031-01-01T00:00:00.000Z')}.8.tmp`);
    for (const [file, seconds] of [
      [killed, 1],
      [killedInFuture, Date.parse('2031-01-01') / 1000],
    ] as const) {
      await writeFile(file, '');
      await utimes(file, seconds, seconds);
    }
    const { path } = await backUpInto({ directory, keep: 3 }, await storeWith(0));
    const kept = [...times.slice(-2).map(nameOf), 'petstore-manual.backup.gz', 'notes.txt'];
    expect(new Set(await readdir(directory))).toEqual(new Set([...kept, basename(path)]));
  });

  it('is complete on a disk that cannot sync a directory, and fails when the disk fails', async () => {
    const [directory, url] = [await directoryWith(), await storeWith(0)];
    await refuseSync('EINVAL');
    const { path } = await backUpInto({ directory, keep: 1 }, url);
    expect(await readdir(directory)).toEqual([basename(path)]);
    await refuseSync('EIO');
    await expect(backUpInto({ directory, keep: 1 }, url)).rejects.toThrow('EIO');
  });

  it('deletes nothing while it has fewer animals than an earlier one that can be read', async () => {
    const [directory, url] = [await directoryWith(...times.map(nameOf)), await storeWith(3)];
    const backUp = (keep: number) => backUpInto({ directory, keep }, url);
    const before = await backUp(30);
    expect(before.warnings).toEqual([]);
    await execute(url, 'DELETE FROM pet WHERE id > 1');
    // The second one has as many as the first one, and fewer than the one before the loss.
    for (const count of [22, 23]) {
      const { path, warnings } = await backUp(1);
      const text = expect.stringContaining(`${path} has fewer animals than ${before.path}: 1 instead of 3.`) as string;
      expect(warnings).toEqual([{ event: 'backup_smaller', text }]);
      expect(await readdir(directory)).toHaveLength(count);
    }
    await addAnimals(url, 2);
    const { path, warnings } = await backUp(1);
    expect(warnings).toEqual([]);
    expect(await readdir(directory)).toEqual([times.map(nameOf).at(-1), basename(path)]);
  });

  it('deletes neither itself nor an earlier one next to files of the future, which it names in one warning', async () => {
    const future = Array.from({ length: 60 }, (_, file) =>
      nameOf(new Date(Date.UTC(2031, 0, 1 + (file % 15), file)).toISOString()),
    ).toSorted();
    const real = times.slice(-4).map(nameOf);
    const [directory, url] = [await directoryWith(...future, ...real), await storeWith(1)];
    const backUp = (keep: number) => backUpInto({ directory, keep }, url);
    const { path, warnings } = await backUp(48);
    expect(new Set(await readdir(directory))).toEqual(new Set([...future, ...real, basename(path)]));
    const text = expect.stringMatching(
      / are dated after now \(\d{4}-.*Z\): 60, such as petstore-20310101T000000000Z/,
    ) as string;
    expect(warnings).toEqual([{ event: 'backup_in_future', text }]);
    const next = await backUp(1);
    expect(new Set(await readdir(directory))).toEqual(new Set([...future, ...real.slice(-1), basename(next.path)]));
  });

  it('deletes nothing after the clock was set back, and replaces no earlier one at a time that repeats', async () => {
    const [directory, url] = [await directoryWith(...times.map(nameOf)), await storeWith(1)];
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2000, 0, 1) });
    onTestFinished(() => void vi.useRealTimers());
    const backUp = () => backUpIfDue({ directory, everyMs: hour, keep: 1 }, url);
    const names = [nameOf('2000-01-01T00:00:00.000Z'), ...times.map(nameOf)];
    expect((await backUp())?.warnings).toMatchObject([{ event: 'backup_in_future' }]);
    expect((await readdir(directory)).toSorted()).toEqual(names);
    expect(await backUp()).toBeUndefined();
    await expect(backUpInto({ directory, keep: 1 }, url)).rejects.toThrow('already exists, and was not changed');
    expect((await readdir(directory)).toSorted()).toEqual(names);
  });

  it('does not delete itself when another process has written a newer one meanwhile', async () => {
    const [directory, url] = [await directoryWith(), await storeWith(1)];
    const holder = await hold(url, 'LOCK TABLE idempotency_record IN ACCESS EXCLUSIVE MODE');
    const writing = backUpInto({ directory, keep: 1 }, url);
    await expect.poll(() => readdir(directory)).toEqual([expect.stringMatching(/tmp$/)]);
    const newer = nameOf(new Date().toISOString());
    await writeFile(join(directory, newer), 'a backup');
    await holder.query('ROLLBACK');
    const { path } = await writing;
    expect((await readdir(directory)).toSorted()).toEqual([basename(path), newer]);
  });

  it('does not create a missing directory, which can be that of a missing disk', async () => {
    const [directory, url] = [join(await directoryWith(), 'petstore'), await storeWith(1)];
    const target = { directory, everyMs: hour, keep: 1 };
    for (const attempt of [backUpInto(target, url), backUpIfDue(target, url)]) {
      await expect(attempt).rejects.toThrow(`${directory} does not exist. Is a disk missing? Mount it, or create the`);
    }
    await expect(readdir(directory)).rejects.toThrow('ENOENT');
  });

  it('has no fewer animals than one that another process writes at the same time, while animals are added', async () => {
    const [directory, url] = [await directoryWith(), await storeWith(0)];
    const backUps = Array.from({ length: 5 }, async () => {
      for (let round = 0; round < 2; round += 1) {
        await addAnimals(url, 10);
        expect((await backUpInto({ directory, keep: 100 }, url)).warnings).toEqual([]);
      }
    });
    await Promise.all(backUps);
  });
});
