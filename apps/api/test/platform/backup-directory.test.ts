import {
  copyFile,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { backupPlan } from '../../src/database-content.js';
import {
  backUpIfDue,
  backUpInto,
  backupState,
  dueInMs,
  oldBackups,
} from '../../src/platform/database/backup/backup-directory.js';
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

const [halfAnHourOld, dayOld] = [nameOf('2026-11-23T11:30:00.000Z'), nameOf('2026-11-22T11:59:00.000Z')];

it.each([
  ['at once without an earlier one', [], 0],
  ['an interval after the newest', [halfAnHourOld, dayOld], hour / 2],
  ['at once after other files', ['petstore-monday.backup.gz', 'petstore-1.backup.gz'], 0],
  ['at once after one that was written before the clock was corrected', [nameOf('2027-01-01T00:00:00.000Z')], 0],
])('the next scheduled backup is due %s', async (_when, names, dueMs) => {
  const schedule = { directory: await directoryWith(...names), everyMs: hour, keep: 1 };
  expect(await dueInMs(schedule, Date.parse('2026-11-23T12:00:00.000Z'))).toBe(dueMs);
});

it('the backups that are deleted are neither among the newest nor the last of one of 14 days', () => {
  const names = Array.from({ length: 20 }, (_, day) =>
    ['08:00:00.000Z', '20:00:00.000Z'].map((time) => nameOf(`2026-11-${String(day + 1).padStart(2, '0')}T${time}`)),
  ).flat();
  const old = oldBackups(names, 3);
  const kept = names.filter((name) => !old.includes(name));
  expect(kept).toEqual([
    ...Array.from({ length: 12 }, (_, day) => nameOf(`2026-11-${String(day + 7).padStart(2, '0')}T20:00:00.000Z`)),
    nameOf('2026-11-19T20:00:00.000Z'),
    nameOf('2026-11-20T08:00:00.000Z'),
    nameOf('2026-11-20T20:00:00.000Z'),
  ]);
});

it('a backup before a loss is not deleted because of those with fewer animals after it', () => {
  const before = nameOf('2026-11-20T08:00:00.000Z');
  const after = Array.from({ length: 9 }, (_, hours) =>
    nameOf(`2026-11-20T1${hours}:00:00.000Z`).replace('Z.', 'Z-smaller.'),
  );
  const outgrown = nameOf('2026-11-21T08:00:00.000Z');
  expect(oldBackups([before, ...after, outgrown], 2)).toEqual(after.slice(0, -2).toReversed());
});

const add = (url: string, rows: number) =>
  execute(url, `INSERT INTO pet (name, category_id) SELECT 'Rex', 7 FROM generate_series(1, ${rows})`);

/** The URL of a database with this number of animals. */
async function storeWith(rows: number): Promise<string> {
  const { url } = await createTestDatabase();
  await add(url, rows);
  return url;
}

const warnings: string[] = [];
beforeEach(() => void warnings.splice(0));
const optionsFor = (url: string) => ({
  url,
  plan: backupPlan,
  log: () => undefined,
  warn: (text: string) => void warnings.push(text),
});

/** Lets each sync of a directory fail. Returns a mock that counts them. */
async function refuseSync(code: string) {
  const handle = await open(tmpdir());
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const refusal = vi.fn(() => Object.assign(new Error(`${code}: fsync`), { code }));
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function refuse(this: FileHandle) {
    if ((await this.stat()).isDirectory()) throw refusal();
    await this.datasync();
  });
  onTestFinished(() => spy.mockRestore());
  return refusal;
}

describe('a scheduled backup', () => {
  const old = nameOf('2026-01-01T00:00:00.000Z');

  it('is not written while another process writes one of this database', async () => {
    const url = await storeWith(0);
    const directory = await directoryWith();
    const holder = await hold(url, `SELECT pg_advisory_xact_lock(${backupLock})`);
    const backUp = () => backUpIfDue({ directory, everyMs: hour, keep: 1 }, optionsFor(url));
    expect(await backUp()).toBeUndefined();
    expect(await readdir(directory)).toEqual([]);
    await holder.query('ROLLBACK');
    expect((await backUp())?.path).toMatch(/petstore-\d{8}T\d{9}Z\.backup\.gz$/);
    expect(await backUp()).toBeUndefined();
  });

  it('is skipped, and reported, when less space is free than twice the last one', async () => {
    const last = nameOf('2026-01-01T01:00:00.000Z');
    const directory = await directoryWith(old, last);
    // A sparse file, which takes no space.
    await truncate(join(directory, last), 2 ** 42);
    await expect(backUpIfDue({ directory, everyMs: hour, keep: 1 }, optionsFor(''))).rejects.toThrow(
      /^No backup was written: .* 8796157\.0 MB are required: /,
    );
    expect(await readdir(directory)).toEqual([old, last]);
  });
});

describe('a backup in a directory', () => {
  const times = Array.from({ length: 20 }, (_, hours) => new Date(Date.UTC(2026, 0, 1, hours)).toISOString());

  it('deletes the older ones, and what killed backups left, but no other file', async () => {
    const directory = await directoryWith(...times.map(nameOf), 'petstore-manual.backup.gz', 'notes.txt');
    const killed = join(directory, `${nameOf('2026-01-01T00:00:00.000Z')}.7.tmp`);
    await writeFile(killed, '');
    await utimes(killed, 1, 1);
    const written = await backUpInto({ directory, keep: 3 }, optionsFor(await storeWith(0)));
    const kept = [...times.slice(-2).map(nameOf), 'petstore-manual.backup.gz', 'notes.txt'];
    expect(new Set(await readdir(directory))).toEqual(new Set([...kept, basename(String(written?.path))]));
  });

  it.each(['EINVAL', 'ENOTSUP', 'EBADF'])(
    'is complete, and deletes the older ones, on a disk that refuses to sync a directory: %s',
    async (code) => {
      const directory = await directoryWith(...times.map(nameOf));
      const refusals = await refuseSync(code);
      const { path } = (await backUpInto({ directory, keep: 1 }, optionsFor(await storeWith(2)))) ?? {};
      expect(refusals).toHaveBeenCalled();
      expect(new Set(await readdir(directory))).toEqual(new Set([times.map(nameOf).at(-1), basename(String(path))]));
    },
  );

  it('fails when the disk fails', async () => {
    const directory = await directoryWith();
    await refuseSync('EIO');
    await expect(backUpInto({ directory, keep: 1 }, optionsFor(await storeWith(0)))).rejects.toThrow('EIO');
  });

  // The numbers of rows, and the last ids.
  it.each<{ what: string; first: [number, number]; second: [number, number]; isSmaller: boolean }>([
    { what: 'fewer animals', first: [3, 3], second: [2, 3], isSmaller: true },
    { what: 'no animals', first: [3, 3], second: [0, 0], isSmaller: true },
    { what: 'more animals, and a lower sequence', first: [3, 9], second: [5, 8], isSmaller: true },
    { what: 'the same', first: [3, 9], second: [3, 9], isSmaller: false },
    { what: 'more animals', first: [3, 9], second: [4, 10], isSmaller: false },
    { what: 'no animals, like the first one', first: [0, 0], second: [0, 0], isSmaller: false },
  ])('that has $what: is it smaller? $isSmaller', async ({ first, second, isSmaller }) => {
    const directory = await directoryWith(...times.map(nameOf));
    const url = await storeWith(0);
    const backUp = async ([rows, lastId]: [number, number]) => {
      await execute(url, 'DELETE FROM pet');
      await execute(url, 'ALTER SEQUENCE pet_id_seq RESTART');
      await add(url, rows);
      if (lastId > 0) await execute(url, `SELECT setval('pet_id_seq', ${lastId})`);
      return backUpInto({ directory, keep: 30 }, optionsFor(url));
    };
    await backUp(first);
    const problems = [];
    // The third one is as small as the second one, and still not the measure for the next.
    for (const content of [second, second]) problems.push((await backUp(content))?.problem);
    const smaller = expect.stringMatching(/Animals are only ever added, .* No backup was deleted\./) as string;
    expect(problems).toEqual(isSmaller ? [smaller, smaller] : [undefined, undefined]);
    expect((await backupState(directory)).isSmaller).toBe(isSmaller);
    const last = (await backUpInto({ directory, keep: 1 }, optionsFor(url)))?.path;
    expect(await readdir(directory)).toHaveLength(isSmaller ? 24 : 2);
    expect(last).toMatch(isSmaller ? /Z-smaller\.backup\.gz$/ : /Z\.backup\.gz$/);
  });

  it('is not smaller than one that another process writes at the same time, while animals are added', async () => {
    const [directory, url] = [await directoryWith(), await storeWith(0)];
    const written = new Set<string>();
    const backUps = Array.from({ length: 5 }, async () => {
      for (let round = 0; round < 2; round += 1) {
        await add(url, 10);
        const { path = '', problem } = (await backUpInto({ directory, keep: 100 }, optionsFor(url))) ?? {};
        expect(problem).toBeUndefined();
        written.add(path);
      }
    });
    await Promise.all(backUps);
    // Those of the same millisecond share a name.
    expect((await readdir(directory)).map((name) => join(directory, name))).toEqual([...written].toSorted());
  });

  it('is smaller no longer when the store has outgrown the earlier one', async () => {
    const [directory, url] = [await directoryWith(), await storeWith(3)];
    const backUp = () => backUpInto({ directory, keep: 1 }, optionsFor(url));
    await backUp();
    await execute(url, 'DELETE FROM pet WHERE id > 1');
    expect((await backUp())?.problem).toBeDefined();
    await add(url, 2);
    const { path = '', problem } = (await backUp()) ?? {};
    expect(problem).toBeUndefined();
    expect((await readdir(directory)).filter((name) => !name.includes('-smaller'))).toEqual([basename(path)]);
  });

  it.each([
    ['is cut off', async (path: string) => truncate(path, (await readFile(path)).length - 9)],
    ['is not a backup', (path: string) => writeFile(path, 'Chapter 1')],
    ['is a directory', (path: string) => rm(path).then(() => mkdir(path))],
  ])('is compared with the newest one that can be read when a newer one %s', async (_what, damage) => {
    const [directory, url] = [await directoryWith(), await storeWith(2)];
    const written = await backUpInto({ directory, keep: 9 }, optionsFor(url));
    const good = join(directory, nameOf('2026-01-01T00:00:00.000Z'));
    const damaged = join(directory, nameOf('2026-01-02T00:00:00.000Z'));
    await copyFile(String(written?.path), good);
    await rename(String(written?.path), damaged);
    await damage(damaged);
    await execute(url, 'DELETE FROM pet WHERE id = 1');
    const smaller = await backUpInto({ directory, keep: 1 }, optionsFor(url));
    expect(smaller?.problem).toContain(`${good} has 2 animals, up to number 2`);
    expect(warnings).toEqual([expect.stringContaining(damaged)]);
    expect(await readdir(directory)).toHaveLength(3);
  });
});
