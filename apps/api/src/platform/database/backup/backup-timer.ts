import { stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.js';
import type { Metrics } from '../../metrics/metrics.js';
import { backUpIfDue, latestBackupTime, type Schedule, scheduleOf } from './backup-directory.js';

const firstCheckMs = 2000;
const checkMs = 5000;
const retryMs = 300_000;

/** Writes the backups of BACKUP_DIRECTORY. */
export class BackupTimer {
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;
  private isOnDataDisk = false;

  private constructor(
    private readonly schedule: Schedule,
    private readonly dataDirectory: string,
    private readonly databaseUrl: string,
    private readonly logger: Logger,
  ) {}

  /** Returns `undefined` without BACKUP_DIRECTORY. */
  static start(config: Config, databaseUrl: string, logger: Logger, metrics: Metrics): BackupTimer | undefined {
    const schedule = scheduleOf(config);
    if (!schedule) return undefined;
    const timer = new BackupTimer(schedule, config.dataDir, databaseUrl, logger);
    timer.addMetrics(metrics);
    timer.checkAfter(firstCheckMs);
    return timer;
  }

  /** A backup in progress fails silently when the process or its database ends. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private addMetrics(metrics: Metrics): void {
    const { directory, everyMs } = this.schedule;
    const newest = 'The time of the newest backup. 0: never, or the directory cannot be read.';
    metrics.gauge('petstore_backup_last_success_timestamp_seconds', newest, async () => {
      const time = await latestBackupTime(directory).catch(() => undefined);
      return (time ?? 0) / 1000;
    });
    metrics.gauge('petstore_backup_interval_seconds', 'BACKUP_EVERY_MINUTES.', () => everyMs / 1000);
  }

  private checkAfter(delayMs: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => void this.check(), delayMs).unref();
  }

  /** The time of the newest file counts, so that restarts do not postpone a backup. */
  private async check(): Promise<void> {
    const { schedule, databaseUrl, logger } = this;
    try {
      const written = await backUpIfDue(schedule, databaseUrl);
      if (written) logger.info({ event: 'backup_written' }, `Wrote ${written.path}.`);
      if (written?.warning !== undefined) logger.warn({ event: 'backup_in_future' }, written.warning);
      await this.warnOfSameDisk();
      this.checkAfter(checkMs);
    } catch (error) {
      if (this.isStopped) return;
      logger.error({ event: 'backup_failed' }, `The scheduled backup failed: ${(error as Error).message}`);
      this.checkAfter(retryMs);
    }
  }

  /** Also when that changes: the directory can be the mount point of a disk that is gone. */
  private async warnOfSameDisk(): Promise<void> {
    const { directory } = this.schedule;
    const [backups, data] = await Promise.all([stat(directory), stat(this.dataDirectory)]);
    const isOnDataDisk = backups.dev === data.dev;
    if (isOnDataDisk && !this.isOnDataDisk) {
      const text =
        `BACKUP_DIRECTORY ${directory} is on the same disk as DATA_DIR: both are lost with this disk. If it should be on ` +
        'another disk, check whether that one is mounted.';
      this.logger.warn({ event: 'backup_on_same_disk' }, text);
    }
    this.isOnDataDisk = isOnDataDisk;
  }
}
