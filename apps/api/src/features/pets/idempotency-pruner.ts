import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock, repeat } from '../../platform/clock.js';
import { LOGGER } from '../../platform/logging/logger.js';
import { retentionStart } from './idempotency.js';
import { IdempotencyRepository } from './idempotency.repository.js';

const intervalMs = 60_000;
const batchSize = 500;

/** Deletes expired idempotency records, in small batches so that no lock is held for long. */
@Injectable()
export class IdempotencyPruner implements OnApplicationBootstrap, OnModuleDestroy {
  private stop: (() => void) | undefined;
  private isStopping = false;

  constructor(
    private readonly records: IdempotencyRepository,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.stop = repeat(
      intervalMs,
      () => this.prune(),
      (error) =>
        this.logger.warn({ err: error }, 'Pruning idempotency records failed. The service retries every minute.'),
    );
  }

  onModuleDestroy(): void {
    // Does not wait for the running batch: Nest accepts requests until this method returns.
    this.isStopping = true;
    this.stop?.();
  }

  /** Returns the number of deleted records. */
  async prune(): Promise<number> {
    const time = retentionStart(this.clock.now());
    for (let pruned = 0; ;) {
      const deleted = await this.records.deleteBefore(time, batchSize);
      pruned += deleted;
      if (deleted < batchSize || this.isStopping) return pruned;
    }
  }
}
