import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ExplainedError } from '@petstore/contracts';
import type pg from 'pg';
import type { Config } from '../../config/config.js';
import { freeBytes, minFreeBytes } from '../../disk-space.js';
import { ConfigError } from '../../errors/startup-error.js';
import { backupLock } from '../locks.js';
import { explained, readHeader, rejectExisting, writeBackupFile } from './backup-file.js';
import { withTransaction } from './transaction.js';
import { describeSnapshot, Pace, readRows } from './write-backup.js';

/** The time in UTC. Names sort by time. */
const fileName = /^petstore-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.backup\.gz$/;
/** The days of which the last backup is kept. */
const keptDays = 14;

/** Where backups are written, and which of them are deleted. */
interface BackupTarget {
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

/**
 * Checks BACKUP_DIRECTORY at the start. Creates only its last part: a disk that is not mounted lacks the parts before.
 * @throws ConfigError
 */
export async function prepareBackupDirectory(config: Config, print: (line: string) => void): Promise<void> {
  const directory = scheduleOf(config)?.directory;
  if (directory === undefined) return;
  try {
    if (await createLast(directory)) print(`Created ${directory}, the directory of BACKUP_DIRECTORY.`);
  } catch (error) {
    throw new ConfigError([`BACKUP_DIRECTORY: ${explainDirectory(directory, error as NodeJS.ErrnoException)}`]);
  }
}

/** Returns whether it was created. */
async function createLast(directory: string): Promise<boolean> {
  const isCreated = await mkdir(directory, { mode: 0o700 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
  if ((await stat(directory)).isDirectory()) return isCreated;
  throw new Error(`${directory} is not a directory`);
}

function explainDirectory(directory: string, { code, syscall, message }: NodeJS.ErrnoException): string {
  // A symbolic link can lead to nothing.
  if (code !== 'ENOENT' || syscall !== 'mkdir') return message;
  return `${dirname(directory)} does not exist. Is a disk missing? Mount it, or create this directory`;
}

/** The path of a backup in BACKUP_DIRECTORY, the newest one if there are several. */
export async function findBackup(config: Config): Promise<string | undefined> {
  const directory = scheduleOf(config)?.directory;
  if (directory === undefined) return undefined;
  // "npm run backup -- FILE" or a person may have chosen another name.
  const other = (await filesIn(directory)).find((name) => name.endsWith('.backup.gz'));
  const found = newestOf(await namesOf(directory)) ?? other;
  return found === undefined ? undefined : join(directory, found);
}

export interface WrittenBackup {
  path: string;
  warnings: BackupWarning[];
}

interface BackupWarning {
  /** The `event` of the log line. */
  event: 'backup_smaller' | 'backup_in_future';
  text: string;
}

/**
 * Writes a backup into a directory, then deletes old ones.
 * @throws ExplainedError
 */
export function backUpInto(target: BackupTarget, url: string): Promise<WrittenBackup> {
  return explained(`The backup to ${target.directory}`, async () => {
    const fullest = await prepare(target);
    return withTransaction(url, 'snapshot', (client) => writeNext(client, { target, fullest }));
  });
}

/**
 * Backs up slowly, unless the newest backup is recent or another process backs up this database.
 * @throws ExplainedError
 */
export function backUpIfDue(target: Schedule, url: string): Promise<WrittenBackup | undefined> {
  return explained(`The backup to ${target.directory}`, async () => {
    if (!(await isDue(target, Date.now()))) return undefined;
    const fullest = await prepare(target);
    return withTransaction(url, 'snapshot', async (client) => {
      if (!(await takeLock(client)) || !(await isDue(target, Date.now()))) return undefined;
      return writeNext(client, { target, fullest, pace: new Pace() });
    });
  });
}

/** Returns the backup with most animals. Call it before the snapshot: another process may write a newer one meanwhile. */
async function prepare({ directory }: BackupTarget): Promise<FoundBackup | undefined> {
  await deleteAbandoned(directory);
  await checkSpace(directory);
  return (await findBackups(directory))[0];
}

interface NextBackup {
  target: BackupTarget;
  fullest: FoundBackup | undefined;
  pace?: Pace;
}

/** No operation deletes animals. If the backup has fewer than an earlier one, some are probably lost: no file is deleted. */
async function writeNext(client: pg.Client, { target, fullest, pace }: NextBackup): Promise<WrittenBackup> {
  const header = await describeSnapshot(client);
  const path = join(target.directory, `petstore-${header.createdAt.replaceAll(/[-:.]/g, '')}.backup.gz`);
  // A clock that was set back can repeat a time.
  await rejectExisting(path);
  await writeBackupFile(path, header, (table) => readRows(client, table, pace));
  const smaller = warnIfSmaller(path, header.animals, fullest);
  if (!smaller) await deleteOld(target, basename(path));
  const future = await warnOfFuture(target);
  return { path, warnings: [...(smaller ? [smaller] : []), ...(future ? [future] : [])] };
}

function warnIfSmaller(path: string, animals: number, fullest: FoundBackup | undefined): BackupWarning | undefined {
  const before = fullest?.animals ?? 0;
  if (animals >= before) return undefined;
  const text =
    `The backup ${path} has fewer animals than ${fullest?.path}: ${animals.toLocaleString('en')} instead of ` +
    `${before.toLocaleString('en')}. Some are probably lost. No backup was deleted. Restore the earlier backup or, if the ` +
    'database is right, move the earlier backups to another directory.';
  return { event: 'backup_smaller', text };
}

/** A clock that was wrong once leaves such files. A clock that is wrong now makes them of good ones. */
async function warnOfFuture({ directory }: BackupTarget): Promise<BackupWarning | undefined> {
  const now = Date.now();
  const future = (await namesOf(directory)).filter((name) => timeOf(name) > now);
  if (future.length === 0) return undefined;
  const text =
    `Backups in ${directory} are dated after now (${new Date(now).toISOString()}): ${future.length.toLocaleString('en')}, ` +
    `such as ${future[0]}. They are not counted, and not deleted. Check the clock of this machine. If it is right, move them ` +
    'to another directory.';
  return { event: 'backup_in_future', text };
}

interface FoundBackup {
  path: string;
  /** `undefined` if the file cannot be read. */
  animals: number | undefined;
}

/**
 * The backups of a directory, the one with the most animals first, unreadable ones last. Includes those with other names,
 * which "npm run backup -- FILE" wrote or a person renamed.
 */
async function findBackups(directory: string): Promise<FoundBackup[]> {
  const found: FoundBackup[] = [];
  const names = (await filesIn(directory)).filter((name) => name.endsWith('.backup.gz'));
  for (const name of names.toSorted().toReversed()) {
    const path = join(directory, name);
    const header = await readHeader(path).catch(() => undefined);
    found.push({ path, animals: header?.animals });
  }
  return found.toSorted((one, other) => (other.animals ?? -1) - (one.animals ?? -1));
}

/** `written` is the file that was just written: another process may have written newer ones meanwhile. */
async function deleteOld({ directory, keep }: BackupTarget, written: string): Promise<void> {
  const old = oldBackups(await namesOf(directory), { keep, now: Date.now() });
  await Promise.all(old.filter((name) => name !== written).map((name) => rm(join(directory, name), { force: true })));
}

/**
 * The names that are neither among the newest `keep` nor the last of one of the newest 14 days. Those dated after `now` are not
 * counted: they would replace the real ones. `names` is sorted.
 */
export function oldBackups(names: readonly string[], { keep, now }: { keep: number; now: number }): string[] {
  const counted = names.filter((name) => timeOf(name) <= now);
  const lastOfDays = new Map(counted.map((name) => [name.replace(/T.*/, ''), name]));
  const kept = new Set([...counted.slice(-keep), ...[...lastOfDays.values()].slice(-keptDays)]);
  return counted.filter((name) => !kept.has(name));
}

/** A file that nothing has written to for this long belongs to a backup that was killed. */
const abandonedMs = 3_600_000;

/** Deletes the temporary files that killed backups left. */
async function deleteAbandoned(directory: string): Promise<void> {
  for (const name of await filesIn(directory)) {
    if (!/^petstore-\d.*\.tmp$/.test(name)) continue;
    const path = join(directory, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    // A time of the future is from before a clock was corrected.
    if (Math.abs(Date.now() - mtimeMs) > abandonedMs) await rm(path, { force: true });
  }
}

/**
 * The next backup is probably as large as the last one, and the disk may be that of the database.
 * @throws ExplainedError
 */
async function checkSpace(directory: string): Promise<void> {
  const last = newestOf(await namesOf(directory));
  const { size } = last === undefined ? { size: 0 } : await stat(join(directory, last));
  const free = await freeBytes(directory);
  const required = 2 * size + minFreeBytes;
  if (free >= required) return;
  throw new ExplainedError(
    `No backup was written: ${directory} has ${megabytes(free)} free. ${megabytes(required)} are required: twice the size ` +
      `of the last backup, and ${megabytes(minFreeBytes)}. Free some space.`,
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** The newest backup that is not dated after now, else the newest one. */
function newestOf(names: readonly string[]): string | undefined {
  return names.findLast((name) => timeOf(name) <= Date.now()) ?? names.at(-1);
}

/** Whether the newest backup is old enough for the next one. */
export async function isDue({ directory, everyMs }: Schedule, now: number): Promise<boolean> {
  const last = await latestBackupTime(directory, now);
  return last === undefined || last + everyMs <= now;
}

/**
 * When the newest backup was written, in milliseconds since 1970, by the names of the files. `undefined` without one. Files of
 * the future do not count: they were written before a clock was corrected.
 */
export async function latestBackupTime(directory: string, now: number): Promise<number | undefined> {
  return (await namesOf(directory)).map(timeOf).findLast((time) => time <= now);
}

/** The backups that the service wrote, sorted by time. */
async function namesOf(directory: string): Promise<string[]> {
  return (await filesIn(directory)).filter((name) => fileName.test(name)).toSorted();
}

/** @throws ExplainedError if the directory does not exist. Creating it would write to the disk below a missing one. */
function filesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new ExplainedError(`${directory} does not exist. Is a disk missing? Mount it, or create the directory.`);
  });
}

function timeOf(name: string): number {
  return Date.parse(name.replace(fileName, '$1-$2-$3T$4:$5:$6.$7Z'));
}

/** Takes the lock until the end of the transaction. Returns whether no other process has it. */
async function takeLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS taken', [
    backupLock,
  ]);
  return rows[0]?.taken === true;
}
