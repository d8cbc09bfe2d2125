import type { Logger } from 'pino';
import type { Config } from '../../config/config.js';
import { backUpIfDue, latestBackupTime, type Schedule, scheduleOf } from './backup-directory.js';
import type { BackupOptions } from './write-backup.js';

const firstCheckMs = 2000;
const checkMs = 5000;
const retryMs = 300_000;

/** Writes the backups of BACKUP_DIRECTORY. */
export class BackupTimer {
  /** The number of failed backups since the start. */
  failures = 0;
  /** Whether the last backup has fewer animals than an earlier one. */
  isSmaller = false;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  private constructor(
    readonly schedule: Schedule,
    private readonly options: BackupOptions,
    private readonly logger: Logger,
  ) {}

  /** Returns `undefined` without BACKUP_DIRECTORY. */
  static start(config: Config, options: BackupOptions, logger: Logger): BackupTimer | undefined {
    const schedule = scheduleOf(config);
    if (!schedule) return undefined;
    const timer = new BackupTimer(schedule, options, logger);
    timer.checkAfter(firstCheckMs);
    return timer;
  }

  /** A backup in progress fails silently when the process or its database ends, and leaves no file. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  /** When the newest backup was written, in milliseconds since 1970. A directory that cannot be read has none. */
  latestTime(): Promise<number | undefined> {
    return latestBackupTime(this.schedule.directory, Date.now()).catch(() => undefined);
  }

  private checkAfter(delayMs: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => void this.check(), delayMs).unref();
  }

  /** The time of the newest file counts, so that restarts do not postpone a backup. */
  private async check(): Promise<void> {
    try {
      const written = await backUpIfDue(this.schedule, this.options);
      if (written) {
        this.logger.info({ event: 'backup_written' }, `Wrote ${written.path}.`);
        this.isSmaller = written.warning !== undefined;
        if (this.isSmaller) this.logger.warn({ event: 'backup_smaller' }, written.warning);
      }
      this.checkAfter(checkMs);
    } catch (error) {
      if (this.isStopped) return;
      this.failures += 1;
      this.logger.error({ event: 'backup_failed' }, `The scheduled backup failed: ${(error as Error).message}`);
      this.checkAfter(retryMs);
    }
  }
}
