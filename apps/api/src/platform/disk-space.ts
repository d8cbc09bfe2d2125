import { statfs } from 'node:fs/promises';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Metrics } from './metrics/metrics.js';
import { repeat } from './repeat.js';

/** Below this, nothing is added: PostgreSQL ends when it cannot write its log (WAL), whose files have 16 MB. */
export const minFreeBytes = 64_000_000;

const checkMs = 1000;

/** Returns the free space of the disk with this directory. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/** Watches the disk of the embedded database. A server of DATABASE_URL has its own. */
@Injectable()
export class DiskSpace implements OnModuleInit, OnModuleDestroy {
  /** Whether only reads are safe. */
  isFull = false;
  private stop: (() => void) | undefined;

  constructor(
    private readonly directory: string | undefined,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    if (directory === undefined) return;
    const help = 'The free space of the disk with DATA_DIR.';
    metrics.gauge('petstore_data_directory_free_bytes', help, () => freeBytes(directory));
  }

  async onModuleInit(): Promise<void> {
    const { directory, logger } = this;
    if (directory === undefined) return;
    const check = () => this.check(directory);
    const logError = (error: unknown) => logger.warn({ err: error }, `Cannot read the free space of ${directory}.`);
    await check().catch(logError);
    this.stop = repeat(checkMs, check, logError);
  }

  onModuleDestroy(): void {
    this.stop?.();
  }

  private async check(directory: string): Promise<void> {
    const free = await freeBytes(directory);
    const isFull = free < minFreeBytes;
    if (isFull === this.isFull) return;
    this.isFull = isFull;
    const fields = { event: isFull ? 'disk_full' : 'disk_free', freeBytes: free };
    if (isFull) this.logger.error(fields, `The disk of ${directory} is full. Creates get 503 until 64 MB are free.`);
    else this.logger.info(fields, `The disk of ${directory} has space again. Creates work.`);
  }
}
