import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import type { Config } from '../../config/config.js';
import { ConfigError } from '../../errors/startup-error.js';
import { backupLock } from '../locks.js';
import { BackupError, explain } from './backup-format.js';
import { Pace, snapshot, withTransaction } from './backup-tables.js';
import { type BackupOptions, deleteAbandoned, writeSnapshot } from './write-backup.js';

/** Prefixes of file names: a backup of the schedule, and one of `npm run backup -- --directory`. */
type Kind = 'scheduled' | 'petstore';

const fileName = /^(scheduled|petstore)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.backup\.gz$/;
/** The days of which the last scheduled backup is kept. */
const keptDays = 14;

export interface Schedule {
  directory: string;
  everyMs: number;
  /** How many of the newest files are kept, in addition to the last one of each day. */
  keep: number;
}

/** The schedule of BACKUP_DIRECTORY; `undefined` without one. */
export function scheduleOf({ backupDirectory, backupEveryMinutes, backupKeep }: Config): Schedule | undefined {
  if (backupDirectory === undefined) return undefined;
  return { directory: resolve(backupDirectory), everyMs: backupEveryMinutes * 60_000, keep: backupKeep };
}

/** @throws ConfigError if BACKUP_DIRECTORY is not a directory. If its disk is missing or full, only the backups fail. */
export async function checkBackupDirectory(config: Config): Promise<void> {
  const directory = scheduleOf(config)?.directory;
  if (directory === undefined) return;
  const found = await stat(directory).catch((error: NodeJS.ErrnoException) => error);
  const isDirectoryOrMissing = found instanceof Error ? found.code !== 'ENOTDIR' : found.isDirectory();
  if (!isDirectoryOrMissing) throw new ConfigError([`BACKUP_DIRECTORY: ${directory} is not a directory`]);
}

/**
 * Writes a backup unless the newest one is recent, or another process backs up this database. Then deletes old ones.
 * Returns its path.
 * @throws BackupError
 */
export async function backUpIfDue(schedule: Schedule, options: BackupOptions): Promise<string | undefined> {
  const { directory } = schedule;
  const path = await datedPath(directory, new Date(), 'scheduled');
  await deleteAbandoned(directory, (name) => fileName.test(name));
  // Also before: if the disk is full, a lower `keep` makes space.
  await deleteOld(schedule);
  await checkSpace(directory);
  try {
    const bytes = await withTransaction(options.url, snapshot, async (client) => {
      if (!(await takeLock(client)) || (await dueInMs(schedule, Date.now())) > 0) return undefined;
      return writeSnapshot(client, path, { ...options, pace: new Pace() });
    });
    if (bytes === undefined) return undefined;
  } catch (error) {
    throw explain(`The backup to ${path}`, error);
  }
  await deleteOld(schedule);
  return path;
}

async function deleteOld({ directory, keep }: Schedule): Promise<void> {
  const names = await namesOf(directory, 'scheduled');
  await Promise.all(oldBackups(names, keep).map((name) => rm(join(directory, name), { force: true })));
}

/** In how many milliseconds the next backup is due, by the time in the name of the newest file. Not positive: now. */
export async function dueInMs({ directory, everyMs }: Schedule, now: number): Promise<number> {
  const last = await lastBackupTime(directory, now);
  return last === undefined ? 0 : last + everyMs - now;
}

/**
 * The time of the newest scheduled backup, in milliseconds; `undefined` if there is none. Files of the future do not count:
 * they were written before a clock was corrected.
 */
export async function lastBackupTime(directory: string, now: number): Promise<number | undefined> {
  const names = await namesOf(directory, 'scheduled').catch(() => []);
  return names.map(timeOf).findLast((time) => time <= now);
}

/** The files that are neither among the newest `keep` nor the last of one of the newest 14 days. Names sort by time. */
export function oldBackups(names: readonly string[], keep: number): string[] {
  const newest = names.toSorted().toReversed();
  const lastOfDay = new Map(newest.toReversed().map((name) => [name.replace(/T.*/, ''), name]));
  const kept = new Set([...newest.slice(0, keep), ...[...lastOfDay.values()].slice(-keptDays)]);
  return newest.filter((name) => !kept.has(name));
}

/** A path for a new backup in a directory, which is created if needed. The names sort by time, in ms. */
export async function datedPath(directory: string, now: Date, kind: Kind = 'petstore'): Promise<string> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw explain(`The creation of ${directory}`, error);
  }
  const time = now.toISOString().replaceAll(/[-:.]/g, '');
  return join(directory, `${kind}-${time}.backup.gz`);
}

/**
 * Deletes all but the newest `keep` backups that `--directory` wrote, and what killed backups left. Returns the names of
 * the deleted backups.
 */
export async function deleteOldBackups(directory: string, keep: number): Promise<string[]> {
  await deleteAbandoned(directory, (name) => fileName.test(name));
  const names = await namesOf(directory, 'petstore');
  const old = names.slice(0, Math.max(0, names.length - keep));
  for (const name of old) await rm(join(directory, name), { force: true });
  return old;
}

async function namesOf(directory: string, kind: Kind): Promise<string[]> {
  return (await readdir(directory)).filter((name) => fileName.exec(name)?.[1] === kind).toSorted();
}

function timeOf(name: string): number {
  const [, , year, month, day, ...time] = (fileName.exec(name) ?? []).map(Number);
  return Date.UTC(Number(year), Number(month) - 1, day, ...time);
}

/** The next backup is probably as large as the last one. @throws BackupError */
async function checkSpace(directory: string): Promise<void> {
  const last = (await namesOf(directory, 'scheduled')).at(-1);
  if (last === undefined) return;
  const { size } = await stat(join(directory, last));
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize >= 2 * size) return;
  throw new BackupError(
    `No backup was written: ${directory} has ${megabytes(bavail * bsize)} free, and twice the size of the last backup ` +
      `(${megabytes(size)}) is required. Free some space, or lower BACKUP_KEEP.`,
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Until the end of the transaction. */
async function takeLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS taken', [
    backupLock,
  ]);
  return rows[0]?.taken === true;
}
