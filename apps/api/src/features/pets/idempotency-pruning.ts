import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { DiskSpace } from '../../platform/disk-space.js';
import { LOGGER } from '../../platform/logging/logger.js';
import { repeat } from '../../platform/repeat.js';
import { PetsRepository } from './pets.repository.js';

const pruneEveryMs = 60_000;
/** A small batch holds its locks only for a short time. */
const batchSize = 500;

/** Deletes expired idempotency records every minute. */
@Injectable()
export class IdempotencyPruning implements OnApplicationBootstrap, OnModuleDestroy {
  private stop: (() => void) | undefined;
  private isStopping = false;

  constructor(
    private readonly pets: PetsRepository,
    private readonly disk: DiskSpace,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const message = 'Pruning idempotency records failed. The service retries every minute.';
    const onError = (error: unknown) => this.logger.warn({ err: error }, message);
    this.stop = repeat(pruneEveryMs, () => this.prune(), onError);
  }

  onModuleDestroy(): void {
    // Does not wait for the running batch: Nest accepts requests until this method returns.
    this.isStopping = true;
    this.stop?.();
  }

  /** Returns the number of deleted records. */
  async prune(): Promise<number> {
    // A deletion writes too.
    for (let pruned = 0; ;) {
      if (this.disk.isFull) return pruned;
      const deleted = await this.pets.deleteExpiredRecords(batchSize);
      pruned += deleted;
      if (deleted < batchSize || this.isStopping) return pruned;
    }
  }
}
