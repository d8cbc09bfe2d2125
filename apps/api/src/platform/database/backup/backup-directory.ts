import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ExplainedError } from '@petstore/contracts';
import type pg from 'pg';
import type { Config } from '../../config/config.js';
import { freeBytes, minFreeBytes } from '../../disk-space.js';
import { ConfigError } from '../../errors/startup-error.js';
import { explained } from './backup-file.js';
import { withTransaction } from './transaction.js';
import { requireLock, takeLock, writeSnapshot } from './write-backup.js';

/** The time in UTC. Names sort by time. */
const fileName = /^petstore-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.backup\.gz$/;
/** A backup that was killed leaves it to the next one. */
const unfinishedName = 'unfinished.backup.tmp';
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
    await mkdir(directory, { mode: 0o700 });
    print(`Created ${directory}, the directory of BACKUP_DIRECTORY.`);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    // A symbolic link can lead to nothing.
    if (code === 'EEXIST' && (await stat(directory).catch(() => undefined))?.isDirectory()) return;
    const reasons: Record<string, string> = {
      EEXIST: `${directory} is not a directory`,
      ENOENT: `${dirname(directory)} does not exist. Is a disk missing? Mount it, or create this directory`,
    };
    throw new ConfigError([`BACKUP_DIRECTORY: ${reasons[code] ?? message}`]);
  }
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

/**
 * Writes a backup into a directory, then deletes old ones. Resolves to its path.
 * @throws ExplainedError
 */
export function backUpInto(target: BackupTarget, url: string): Promise<string> {
  return explained(`The backup to ${target.directory}`, () =>
    withTransaction(url, 'snapshot', async (client) => {
      await requireLock(client);
      return writeNext(client, target);
    }),
  );
}

/**
 * Backs up unless the newest backup is recent or another process backs up this database. Resolves to the path of a new backup.
 * @throws ExplainedError
 */
export function backUpIfDue(target: Schedule, url: string): Promise<string | undefined> {
  return explained(`The backup to ${target.directory}`, async () => {
    if (!(await isDue(target))) return undefined;
    return withTransaction(url, 'snapshot', async (client) => {
      // Another process may have written one meanwhile.
      return (await takeLock(client)) && (await isDue(target)) ? writeNext(client, target) : undefined;
    });
  });
}

async function writeNext(client: pg.Client, target: BackupTarget): Promise<string> {
  const { directory } = target;
  const createdAt = new Date();
  const path = join(directory, `petstore-${createdAt.toISOString().replaceAll(/[-:.]/g, '')}.backup.gz`);
  const unfinished = join(directory, unfinishedName);
  // It would take space from this backup.
  await rm(unfinished, { force: true });
  await checkSpace(directory);
  await writeSnapshot(client, { path, unfinished, createdAt });
  await deleteOld(target, basename(path));
  return path;
}

/**
 * A warning about backups that are dated after now, if there are any. A clock that was wrong once leaves such files. A clock that
 * is wrong now makes them of good ones.
 */
export async function describeFuture(directory: string): Promise<string | undefined> {
  const now = Date.now();
  const future = (await namesOf(directory)).filter((name) => timeOf(name) > now);
  if (future.length === 0) return undefined;
  return (
    `Backups in ${directory} are dated after now (${new Date(now).toISOString()}): ${future.length.toLocaleString('en')}, ` +
    `such as ${future[0]}. They are not counted, and not deleted. Check the clock of this machine. If it is right, move them ` +
    'to another directory.'
  );
}

/** `written` is the file that was just written. It is not the newest one if the clock was corrected meanwhile. */
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
export async function isDue({ directory, everyMs }: Schedule): Promise<boolean> {
  const last = await latestBackupTime(directory);
  return last === undefined || last + everyMs <= Date.now();
}

/**
 * When the newest backup was written, in milliseconds since 1970, by the names of the files. `undefined` without one. Files of
 * the future do not count: they were written before a clock was corrected.
 */
export async function latestBackupTime(directory: string): Promise<number | undefined> {
  const now = Date.now();
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
