import { type FileHandle, open, readdir, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readConfig } from '../../src/platform/config/config.js';
import {
  backUpIfDue,
  backUpInto,
  describeFuture,
  findBackup,
  isDue,
  oldBackups,
} from '../../src/platform/database/backup/backup-directory.js';
import { scheduleBackups } from '../../src/platform/database/backup/backup-timer.js';
import { writeBackup } from '../../src/platform/database/backup/write-backup.js';
import { backupLock } from '../../src/platform/database/locks.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { createFolder } from '../support/folder.js';
import { createTestDatabase, execute, hold } from '../support/scratch-database.js';

const hour = 3_600_000;
const nameOf = (time: string) => `petstore-${time.replaceAll(/[-:.]/g, '')}.backup.gz`;
const unfinished = 'unfinished.backup.tmp';

async function directoryWith(...names: string[]): Promise<string> {
  const directory = await createFolder();
  for (const name of names) await writeFile(join(directory, name), 'a backup');
  return directory;
}

const filesIn = async (directory: string) => (await readdir(directory)).toSorted();

function setClock(time: string): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(time) });
  onTestFinished(() => void vi.useRealTimers());
}

const [halfAnHourOld, dayOld] = [nameOf('2026-11-23T11:30:00.000Z'), nameOf('2026-11-22T11:59:00.000Z')];
const future = nameOf('2126-01-01T00:00:00.000Z');

it.each([
  ['is due without an earlier one', [], true],
  ['is not due within the interval after the newest', [halfAnHourOld, dayOld], false],
  ['is due after the interval', [dayOld], true],
  ['is due after other files', ['petstore-monday.backup.gz'], true],
  ['is due after one that was written before the clock was corrected', [future], true],
])('a scheduled backup %s', async (_when, names, due) => {
  setClock('2026-11-23T12:00:00.000Z');
  expect(await isDue({ directory: await directoryWith(...names), everyMs: hour, keep: 1 })).toBe(due);
});

it('a scheduled backup that failed is tried again after five minutes', async () => {
  const missing = join(await directoryWith(), 'missing');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const failures: string[] = [];
  const logger = pino({}, { write: (line) => void failures.push(line) });
  const config = readConfig({ BACKUP_DIRECTORY: missing, BACKUP_EVERY_MINUTES: '10080' });
  onTestFinished(scheduleBackups(config, '', logger, new Metrics()));
  vi.advanceTimersByTime(5000);
  await expect.poll(() => failures).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(299_000);
  expect(failures).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(6000);
  await expect.poll(() => failures).toHaveLength(2);
  expect(failures[1]).toContain('"event":"backup_failed"');
});

it.each([
  ['the newest backup', [dayOld, halfAnHourOld, future, 'z.backup.gz'], halfAnHourOld],
  ['one that is dated after now', ['notes.txt', future], future],
  ['one with another name', [unfinished, 'monday.backup.gz'], 'monday.backup.gz'],
  ['none', [unfinished, 'notes.txt', 'export.csv.gz'], undefined],
])('the backup of a directory, which a start must not replace by an empty database, is %s', async (_, names, found) => {
  const directory = await directoryWith(...names);
  const expected = found === undefined ? undefined : join(directory, found);
  expect(await findBackup(readConfig({ BACKUP_DIRECTORY: directory }))).toBe(expected);
});

it('the backups that are deleted are neither among the newest, nor the last of one of 14 days, nor dated after now', () => {
  const day = (number: number) => `2026-11-${String(number).padStart(2, '0')}`;
  const days = Array.from({ length: 20 }, (_, index) => day(index + 1));
  const names = days.flatMap((date) => [nameOf(`${date}T08:00:00.000Z`), nameOf(`${date}T20:00:00.000Z`)]);
  const futures = Array.from({ length: 20 }, (_, index) => nameOf(`2126-01-${index + 10}T00:00:00.000Z`));
  const old = new Set(oldBackups([...names, ...futures], { keep: 3, now: Date.parse(`${day(20)}T20:00:00.000Z`) }));
  expect([...names, ...futures].filter((name) => !old.has(name))).toEqual([
    ...days.slice(6, 19).map((date) => nameOf(`${date}T20:00:00.000Z`)),
    nameOf(`${day(20)}T08:00:00.000Z`),
    nameOf(`${day(20)}T20:00:00.000Z`),
    ...futures,
  ]);
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

  it('deletes the older ones, and replaces what a killed one left, but deletes no other file', async () => {
    const directory = await directoryWith(...times.map(nameOf), 'petstore-manual.backup.gz', 'notes.txt', unfinished);
    const path = await backUpInto({ directory, keep: 3 }, (await createTestDatabase()).url);
    const kept = [...times.slice(-2).map(nameOf), 'petstore-manual.backup.gz', 'notes.txt', basename(path)];
    expect(await filesIn(directory)).toEqual(kept.toSorted());
    // The file that a killed one left may have another mode.
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('leaves no file when it fails, for example because the database stops', async () => {
    const [directory, { url, name }] = [await directoryWith(), await createTestDatabase()];
    await hold(url, 'LOCK TABLE idempotency_record IN ACCESS EXCLUSIVE MODE');
    const failure = expect(backUpInto({ directory, keep: 1 }, url)).rejects.toThrow(/^The backup to .* failed: /);
    await expect.poll(() => readdir(directory)).toEqual([unfinished]);
    const backup = `datname = '${name}' AND wait_event_type = 'Lock'`;
    await execute(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${backup}`);
    await failure;
    expect(await readdir(directory)).toEqual([]);
  });

  it('is not written while another process writes one of this database', async () => {
    const [directory, { url }] = [await directoryWith(), await createTestDatabase()];
    const schedule = { directory, everyMs: hour, keep: 1 };
    const holder = await hold(url, `SELECT pg_advisory_xact_lock(${backupLock})`);
    const reason = /^Another process is writing a backup of this database\. Try again when it has finished\.$/;
    await expect(backUpInto(schedule, url)).rejects.toThrow(reason);
    await expect(writeBackup(join(directory, 'manual.backup.gz'), url)).rejects.toThrow(reason);
    expect(await backUpIfDue(schedule, url)).toBeUndefined();
    expect(await readdir(directory)).toEqual([]);
    await holder.query('ROLLBACK');
    expect(await backUpIfDue(schedule, url)).toMatch(/petstore-\d{8}T\d{9}Z\.backup\.gz$/);
    expect(await backUpIfDue(schedule, url)).toBeUndefined();
  });

  it('is not written when less space is free than twice the last one', async () => {
    const [old, last] = times.map(nameOf);
    const directory = await directoryWith(`${old}`, `${last}`, future);
    // A sparse file, which takes no space.
    await truncate(join(directory, `${last}`), 2 ** 42);
    await expect(backUpInto({ directory, keep: 1 }, (await createTestDatabase()).url)).rejects.toThrow(
      /^No backup was written: .* 8796157\.0 MB are required: /,
    );
    expect(await filesIn(directory)).toEqual([old, last, future]);
  });

  it('is complete on a disk that cannot sync a directory, and fails when the disk fails', async () => {
    const [directory, { url }] = [await directoryWith(), await createTestDatabase()];
    await refuseSync('EINVAL');
    const path = await backUpInto({ directory, keep: 1 }, url);
    expect(await readdir(directory)).toEqual([basename(path)]);
    await refuseSync('EIO');
    await expect(backUpInto({ directory, keep: 1 }, url)).rejects.toThrow('EIO');
  });

  it('deletes neither itself nor an earlier one next to files of the future, which it names in one warning', async () => {
    const futures = Array.from({ length: 60 }, (_, file) =>
      nameOf(new Date(Date.UTC(2126, 0, 1 + (file % 15), file)).toISOString()),
    ).toSorted();
    const real = times.slice(-4).map(nameOf);
    const [directory, { url }] = [await directoryWith(...futures, ...real), await createTestDatabase()];
    const first = await backUpInto({ directory, keep: 48 }, url);
    expect(await filesIn(directory)).toEqual([...real, basename(first), ...futures]);
    expect(await describeFuture(directory)).toMatch(
      / are dated after now \(\d{4}-.*Z\): 60, such as petstore-21260101T000000000Z/,
    );
    const next = await backUpInto({ directory, keep: 1 }, url);
    expect(await filesIn(directory)).toEqual([...real.slice(-1), basename(next), ...futures]);
  });

  it('deletes nothing after the clock was set back, and replaces no earlier one at a time that repeats', async () => {
    const [directory, { url }] = [await directoryWith(...times.map(nameOf)), await createTestDatabase()];
    setClock('2000-01-01T00:00:00.000Z');
    const schedule = { directory, everyMs: hour, keep: 1 };
    const written = nameOf('2000-01-01T00:00:00.000Z');
    const names = [written, ...times.map(nameOf)];
    expect(await backUpIfDue(schedule, url)).toBe(join(directory, written));
    expect(await describeFuture(directory)).toContain('after now');
    expect(await filesIn(directory)).toEqual(names);
    expect(await backUpIfDue(schedule, url)).toBeUndefined();
    await expect(backUpInto(schedule, url)).rejects.toThrow('already exists, and was not changed');
    expect(await filesIn(directory)).toEqual(names);
  });

  it('does not delete itself when the clock was set forward meanwhile', async () => {
    const [directory, { url }] = [await directoryWith(), await createTestDatabase()];
    const holder = await hold(url, 'LOCK TABLE idempotency_record IN ACCESS EXCLUSIVE MODE');
    const writing = backUpInto({ directory, keep: 1 }, url);
    await expect.poll(() => readdir(directory)).toEqual([unfinished]);
    const newer = nameOf(new Date().toISOString());
    await writeFile(join(directory, newer), 'a backup');
    await holder.query('ROLLBACK');
    const path = await writing;
    expect(await filesIn(directory)).toEqual([basename(path), newer]);
  });
});
