import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { backupPlan } from '../../src/database-content.js';
import { backUpIfDue, dueInMs, oldBackups } from '../../src/platform/database/backup/scheduled-backup.js';
import { backupLock } from '../../src/platform/database/locks.js';
import { createMigratedDatabase, hold } from '../support/scratch-database.js';

const hour = 3_600_000;
const nameOf = (time: string) => `scheduled-${time.replaceAll(/[-:.]/g, '')}.backup.gz`;

async function directoryWith(...names: string[]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-schedule-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  for (const name of names) await writeFile(join(directory, name), 'a backup');
  return directory;
}

describe('the next scheduled backup', () => {
  const now = Date.parse('2026-11-23T12:00:00.000Z');
  const dueWith = async (...names: string[]) =>
    dueInMs({ directory: await directoryWith(...names), everyMs: hour, keep: 1 }, now);

  it('is due at once without an earlier one, and in a directory that does not exist', async () => {
    expect(await dueWith()).toBe(0);
    expect(await dueInMs({ directory: '/nowhere', everyMs: hour, keep: 1 }, now)).toBe(0);
  });

  it('is due an interval after the newest', async () => {
    expect(await dueWith(nameOf('2026-11-23T11:30:00.000Z'), nameOf('2026-11-22T11:59:00.000Z'))).toBe(hour / 2);
  });

  it('does not depend on other files, or on one that was written before the clock was corrected', async () => {
    expect(await dueWith('petstore-20261123T115900000Z.backup.gz', nameOf('2027-01-01T00:00:00.000Z'))).toBe(0);
  });
});

describe('the scheduled backups that are deleted', () => {
  it('are neither among the newest nor the last of one of 14 days', () => {
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
});

describe('a scheduled backup', () => {
  const old = nameOf('2026-01-01T00:00:00.000Z');

  it('is not written while another process writes one of this database', async () => {
    const database = await createMigratedDatabase();
    onTestFinished(() => database.drop());
    const directory = await directoryWith(old);
    const holder = await hold(database.url, `SELECT pg_advisory_xact_lock(${backupLock})`);
    const backUp = () =>
      backUpIfDue({ directory, everyMs: hour, keep: 1 }, { url: database.url, plan: backupPlan, log: () => undefined });
    expect(await backUp()).toBeUndefined();
    expect(await readdir(directory)).toEqual([old]);
    await holder.query('ROLLBACK');
    expect(await backUp()).toMatch(/scheduled-\d{8}T\d{9}Z\.backup\.gz$/);
    expect(await backUp()).toBeUndefined();
  });

  it('is skipped, and reported, when less space is free than twice the last one, also without old backups', async () => {
    const last = nameOf('2026-01-01T01:00:00.000Z');
    const directory = await directoryWith(old, last);
    // A sparse file, which takes no space.
    await truncate(join(directory, last), 2 ** 42);
    const backUp = backUpIfDue(
      { directory, everyMs: hour, keep: 1 },
      { url: '', plan: backupPlan, log: () => undefined },
    );
    await expect(backUp).rejects.toThrow(/^No backup was written: .* \(4398046\.5 MB\) is required\./);
    expect(await readdir(directory)).toEqual([last]);
  });

  it('deletes only scheduled backups', async () => {
    const database = await createMigratedDatabase();
    onTestFinished(() => database.drop());
    const older = nameOf('2026-01-01T01:00:00.000Z');
    const manual = 'petstore-20200101T000000000Z.backup.gz';
    const directory = await directoryWith(old, older, manual, 'notes.txt');
    const options = { url: database.url, plan: backupPlan, log: () => undefined };
    const path = await backUpIfDue({ directory, everyMs: hour, keep: 1 }, options);
    expect((await readdir(directory)).map((name) => join(directory, name))).toEqual(
      expect.arrayContaining([path, join(directory, manual), join(directory, 'notes.txt'), join(directory, older)]),
    );
    expect(await readdir(directory)).not.toContain(old);
  });
});
