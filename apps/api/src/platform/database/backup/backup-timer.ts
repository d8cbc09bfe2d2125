import { stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.js';
import type { Metrics } from '../../metrics/metrics.js';
import { repeat } from '../../repeat.js';
import { backUpIfDue, describeFuture, latestBackupTime, type Schedule, scheduleOf } from './backup-directory.js';

const checkMs = 5000;
const retryMs = 300_000;

/**
 * Writes the backups of BACKUP_DIRECTORY. Returns a function that ends this: then a backup in progress fails silently when the
 * process or its database ends.
 */
export function scheduleBackups(config: Config, databaseUrl: string, logger: Logger, metrics: Metrics): () => void {
  const schedule = scheduleOf(config);
  if (!schedule) return () => undefined;
  addMetrics(metrics, schedule);
  let isStopped = false;
  let isOnDataDisk = false;
  const check = async () => {
    try {
      await backUp(schedule, databaseUrl, logger);
      const wasOnDataDisk = isOnDataDisk;
      isOnDataDisk = await areOnOneDisk(schedule.directory, config.dataDir);
      // Also when that changes: the directory can be the mount point of a disk that is gone.
      if (isOnDataDisk && !wasOnDataDisk) warnOfSameDisk(schedule, logger);
    } catch (error) {
      if (isStopped) return;
      logger.error({ event: 'backup_failed' }, `The scheduled backup failed: ${(error as Error).message}`);
      // The next check waits for the end of this one.
      await new Promise((resolve) => {
        setTimeout(resolve, retryMs).unref();
      });
    }
  };
  const stop = repeat(checkMs, check, () => undefined);
  return () => {
    isStopped = true;
    stop();
  };
}

function addMetrics(metrics: Metrics, { directory, everyMs }: Schedule): void {
  const newest = 'The time of the newest backup. 0: never, or the directory cannot be read.';
  metrics.gauge('petstore_backup_last_success_timestamp_seconds', newest, async () => {
    const time = await latestBackupTime(directory).catch(() => undefined);
    return (time ?? 0) / 1000;
  });
  metrics.gauge('petstore_backup_interval_seconds', 'BACKUP_EVERY_MINUTES.', () => everyMs / 1000);
}

/** The time of the newest file counts, so that restarts do not postpone a backup. */
async function backUp(schedule: Schedule, databaseUrl: string, logger: Logger): Promise<void> {
  const path = await backUpIfDue(schedule, databaseUrl);
  if (path === undefined) return;
  logger.info({ event: 'backup_written' }, `Wrote ${path}.`);
  const future = await describeFuture(schedule.directory);
  if (future !== undefined) logger.warn({ event: 'backup_in_future' }, future);
}

async function areOnOneDisk(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([stat(one), stat(other)]);
  return first.dev === second.dev;
}

function warnOfSameDisk({ directory }: Schedule, logger: Logger): void {
  const text =
    `BACKUP_DIRECTORY ${directory} is on the same disk as DATA_DIR: both are lost with this disk. If it should be on another ` +
    'disk, check whether that one is mounted.';
  logger.warn({ event: 'backup_on_same_disk' }, text);
}
