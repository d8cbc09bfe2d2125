import { type ChildProcess, execFile as execFileWithCallback } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.js';
import { packageFolder } from '../../product.js';
import { backupState, type BackupState, dueInMs, type Schedule, scheduleOf } from './backup-directory.js';

const execFile = promisify(execFileWithCallback);

const firstCheckMs = 2000;
const checkMs = 60_000;
const retryMs = 300_000;

/**
 * Starts the backups of BACKUP_DIRECTORY. Each is a process of low priority, which runs `manage.js backup --scheduled`.
 */
export class BackupTimer {
  failures = 0;
  private timer: NodeJS.Timeout | undefined;
  private child: ChildProcess | undefined;
  private isStopped = false;

  private constructor(
    readonly schedule: Schedule,
    private readonly logger: Logger,
  ) {}

  /** For BACKUP_DIRECTORY. `undefined` without it. */
  static start(config: Config, logger: Logger): BackupTimer | undefined {
    const schedule = scheduleOf(config);
    if (!schedule) return undefined;
    const timer = new BackupTimer(schedule, logger);
    timer.checkAfter(firstCheckMs);
    return timer;
  }

  /** Ends a backup in progress, which leaves no file. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }

  state(): Promise<BackupState> {
    return backupState(this.schedule.directory);
  }

  private checkAfter(delayMs: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => void this.check().then((nextMs) => this.checkAfter(nextMs)), delayMs).unref();
  }

  /** By the age of the newest file, so that restarts do not postpone a backup. Returns when to check again. */
  private async check(): Promise<number> {
    // If the directory cannot be read, the backup reports it.
    const dueMs = await dueInMs(this.schedule, Date.now()).catch(() => 0);
    if (dueMs > 0) return Math.min(dueMs, checkMs);
    return (await this.run()) ? checkMs : Math.min(retryMs, this.schedule.everyMs);
  }

  private async run(): Promise<boolean> {
    const program = join(packageFolder, 'dist/manage.js');
    try {
      const backup = execFile(process.execPath, [program, 'backup', '--scheduled']);
      this.child = backup.child;
      const { stdout, stderr } = await backup;
      if (stdout !== '') this.logger.info({ event: 'backup_written' }, stdout.trim());
      if (stderr !== '') await this.logProblem(stderr.trim());
      return true;
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string };
      return this.isStopped || this.fail(stderr?.trim() || message);
    }
  }

  private async logProblem(problem: string): Promise<void> {
    if ((await this.state()).isSmaller) this.logger.error({ event: 'backup_smaller' }, problem);
    else this.logger.warn({ event: 'backup_warning' }, problem);
  }

  private fail(problem: string): false {
    this.failures += 1;
    this.logger.error({ event: 'backup_failed' }, `The scheduled backup failed: ${problem}`);
    return false;
  }
}
