import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import type { Config } from '../../config/config.js';
import { freeBytes, minFreeBytes } from '../../disk-space.js';
import { ConfigError, LostDataError } from '../../errors/startup-error.js';
import { backupLock } from '../locks.js';
import { type BackupContent, BackupError, type BackupPlan, explain } from './backup-format.js';
import { readContent } from './backup-reader.js';
import { Pace, snapshot, withTransaction } from './backup-tables.js';
import { type BackupOptions, contentOf, temporaryEnding, writeSnapshot } from './write-backup.js';

/** The time in UTC, and a mark if the backup has fewer animals than an earlier one. Names sort by time. */
const fileName = /^petstore-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z(-smaller)?\.backup\.gz$/;
/** The days of which the last backup is kept. */
const keptDays = 14;

/** Where backups are written, and which of them are deleted. */
export interface BackupTarget {
  directory: string;
  /** How many of the newest files are kept, in addition to the last one of each day. */
  keep: number;
}

export interface Schedule extends BackupTarget {
  everyMs: number;
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

export interface WrittenBackup {
  path: string;
  bytes: number;
  /** Why no old backup was deleted: this one has fewer animals than an earlier one. */
  problem: string | undefined;
}

/** Receives a line about each backup that cannot be read. */
type Warn = (text: string) => void;

export interface DirectoryBackupOptions extends BackupOptions {
  warn: Warn;
}

/**
 * Writes a backup into a directory, then deletes old ones. Animals are only ever added: a backup that has fewer than an
 * earlier one gets a mark in its name, and nothing is deleted.
 * @param isNeeded Called with the transaction of the backup. Without it, the backup is always written.
 * @throws BackupError
 */
export async function backUpInto(
  target: BackupTarget,
  options: DirectoryBackupOptions,
  isNeeded?: (client: pg.Client) => Promise<boolean>,
): Promise<WrittenBackup | undefined> {
  const { directory } = target;
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await deleteAbandoned(directory);
    await checkSpace(directory);
    // Before the snapshot: another process may write a newer backup meanwhile, which has more animals.
    const earlier = await newestComplete(directory, options.plan, options.warn);
    const written = await withTransaction(options.url, snapshot, async (client) => {
      // That of the snapshot: a slow backup must not look newer than one whose snapshot is later.
      const time = new Date();
      if (isNeeded && !(await isNeeded(client))) return undefined;
      return writeNext(client, { directory, time, earlier, options });
    });
    if (written?.problem === undefined) await deleteOld(target);
    return written;
  } catch (error) {
    throw explain(`The backup to ${directory}`, error);
  }
}

/** Backs up slowly, unless the newest backup is recent or another process backs up this database. */
export function backUpIfDue(schedule: Schedule, options: DirectoryBackupOptions): Promise<WrittenBackup | undefined> {
  return backUpInto(
    schedule,
    { ...options, pace: new Pace() },
    async (client) => (await takeLock(client)) && (await dueInMs(schedule, Date.now())) <= 0,
  );
}

interface NextBackup {
  directory: string;
  time: Date;
  earlier: FoundBackup | undefined;
  options: BackupOptions;
}

async function writeNext(client: pg.Client, next: NextBackup): Promise<WrittenBackup> {
  const { directory, time, earlier, options } = next;
  const content = await contentOf(client, options.plan);
  const isSmaller = earlier && (content.rows < earlier.rows || content.lastId < earlier.lastId);
  const timestamp = time.toISOString().replaceAll(/[-:.]/g, '');
  const path = join(directory, `petstore-${timestamp}${isSmaller ? '-smaller' : ''}.backup.gz`);
  const bytes = await writeSnapshot(client, path, options);
  return { path, bytes, problem: isSmaller ? smallerThan(earlier, { path, ...content }) : undefined };
}

interface FoundBackup extends BackupContent {
  path: string;
}

function smallerThan(earlier: FoundBackup, written: FoundBackup): string {
  return (
    `${describe(written)}, but ${describe(earlier)}. Animals are only ever added, so some are probably lost. No backup was ` +
    'deleted. Restore the earlier backup, or use another BACKUP_DIRECTORY for a new store.'
  );
}

function describe({ path, rows, lastId }: FoundBackup): string {
  return `${path} has ${rows.toLocaleString('en')} ${rows === 1 ? 'animal' : 'animals'}, up to number ${lastId}`;
}

/** The newest backup that can be read and has no mark. */
async function newestComplete(directory: string, plan: BackupPlan, warn: Warn): Promise<FoundBackup | undefined> {
  for (const name of (await namesOf(directory)).filter(isUnmarked).toReversed()) {
    const path = join(directory, name);
    const content = await contentOfFile(path, plan, warn);
    if (content) return { path, ...content };
  }
  return undefined;
}

/** `undefined` if it cannot be read. */
async function contentOfFile(path: string, plan: BackupPlan, warn: Warn): Promise<BackupContent | undefined> {
  try {
    return await readContent(path, plan);
  } catch (error) {
    warn(explain(`Reading ${path}`, error).message);
    return undefined;
  }
}

/**
 * For a database without animals.
 * @throws LostDataError if BACKUP_DIRECTORY has a backup with animals, or one of the service that cannot be read
 */
export async function rejectLostData(config: Config, plan: BackupPlan, warn: Warn): Promise<void> {
  const directory = scheduleOf(config)?.directory;
  if (directory === undefined) return;
  try {
    await rejectAnimals(directory, plan, warn);
  } catch (error) {
    throw error instanceof LostDataError ? error : explain(`Reading ${directory}`, error);
  }
}

/** Also reads backups with other names, which "npm run backup -- FILE" wrote or a person renamed. */
async function rejectAnimals(directory: string, plan: BackupPlan, warn: Warn): Promise<void> {
  const own = await namesOf(directory);
  const others = (await filesIn(directory)).filter((name) => name.endsWith('.backup.gz') && !own.includes(name));
  // The newest one of the service first. The names without a mark are the complete ones.
  const names = [...others, ...own.filter((name) => !isUnmarked(name)), ...own.filter(isUnmarked)].toReversed();
  let unreadable: string | undefined;
  for (const name of names) {
    const path = join(directory, name);
    const content = await contentOfFile(path, plan, warn);
    if (content && content.rows > 0) throw new LostDataError(path, content.rows);
    if (!content && own.includes(name)) unreadable ??= path;
  }
  if (unreadable !== undefined) throw new LostDataError(unreadable);
}

async function deleteOld({ directory, keep }: BackupTarget): Promise<void> {
  const names = await namesOf(directory);
  await Promise.all(oldBackups(names, keep).map((name) => rm(join(directory, name), { force: true })));
}

/**
 * The files that are neither among the newest `keep` nor the last of one of the newest 14 days. Names sort by time. Files with
 * and without the mark count separately: the last complete backup before a loss has the animals that those with the mark lack.
 */
export function oldBackups(names: readonly string[], keep: number): string[] {
  const newest = names.toSorted().toReversed();
  const [complete, marked] = [newest.filter(isUnmarked), newest.filter((name) => !isUnmarked(name))];
  return [complete, marked].flatMap((list) => list.filter((name) => !keptOf(list, keep).has(name)));
}

/** `newest` is sorted, the newest one first. */
function keptOf(newest: readonly string[], keep: number): Set<string> {
  const lastOfDay = new Map(newest.toReversed().map((name) => [name.replace(/T.*/, ''), name]));
  return new Set([...newest.slice(0, keep), ...[...lastOfDay.values()].slice(-keptDays)]);
}

/** A file that nothing has written to for this long belongs to a backup that was killed. */
const abandonedMs = 3_600_000;

/** Deletes the temporary files that killed backups left. */
async function deleteAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!temporaryEnding.test(name) || !fileName.test(name.replace(temporaryEnding, ''))) continue;
    const path = join(directory, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > abandonedMs) await rm(path, { force: true });
  }
}

/** In how many milliseconds the next backup is due, by the time in the name of the newest file. Not positive: now. */
export async function dueInMs({ directory, everyMs }: Schedule, now: number): Promise<number> {
  const last = latestTime(await namesOf(directory), now);
  return last === undefined ? 0 : last + everyMs - now;
}

export interface BackupState {
  /** When the newest complete backup was written, in milliseconds since 1970. `undefined` without one. */
  lastCompleteAt: number | undefined;
  /** Whether the newest backup has fewer animals than an earlier one. */
  isSmaller: boolean;
}

/** What the names of the files say. A directory that cannot be read has no backups. */
export async function backupState(directory: string): Promise<BackupState> {
  const names = await namesOf(directory).catch(() => []);
  const complete = names.filter(isUnmarked);
  return { lastCompleteAt: latestTime(complete, Date.now()), isSmaller: names.at(-1) !== complete.at(-1) };
}

/** Files of the future do not count: they were written before a clock was corrected. */
function latestTime(names: readonly string[], now: number): number | undefined {
  return names.map(timeOf).findLast((time) => time <= now);
}

/** The backups that the service wrote, sorted by time. */
async function namesOf(directory: string): Promise<string[]> {
  return (await filesIn(directory)).filter((name) => fileName.test(name)).toSorted();
}

/** None if the directory does not exist. */
function filesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

function isUnmarked(name: string): boolean {
  return !name.includes('-smaller');
}

function timeOf(name: string): number {
  const [, year, month, day, hour, minute, second, ms] = (fileName.exec(name) ?? []).map(Number);
  return Date.UTC(Number(year), Number(month) - 1, day, hour, minute, second, ms);
}

/** The next backup is probably as large as the last one, and the disk may be that of the database. @throws BackupError */
async function checkSpace(directory: string): Promise<void> {
  const last = (await namesOf(directory)).at(-1);
  const { size } = last === undefined ? { size: 0 } : await stat(join(directory, last));
  const free = await freeBytes(directory);
  const required = 2 * size + minFreeBytes;
  if (free >= required) return;
  throw new BackupError(
    `No backup was written: ${directory} has ${megabytes(free)} free. ${megabytes(required)} are required: twice the size ` +
      `of the last backup, and ${megabytes(minFreeBytes)}. Free some space.`,
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
