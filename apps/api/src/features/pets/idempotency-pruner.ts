import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../platform/clock/clock.js';
import { LOGGER } from '../../platform/logging/logger.js';
import { repeat } from '../../platform/process/repeat.js';
import { retentionStart } from './idempotency.js';
import { IdempotencyRepository } from './idempotency.repository.js';

const everyMs = 60_000;
const batch = 500;

/** Forgets idempotency keys after their day, in small batches, so that no lock is held for long. */
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
      everyMs,
      () => this.prune(),
      (error) => this.logger.warn({ err: error }, 'old idempotency keys are not pruned; tried again every minute'),
    );
  }

  onModuleDestroy(): void {
    // The rest has time. Nobody waits for the batch that is under way: Nest would go on accepting requests meanwhile.
    this.isStopping = true;
    this.stop?.();
  }

  /** How many records went. */
  async prune(): Promise<number> {
    const time = retentionStart(this.clock.now());
    for (let pruned = 0; ;) {
      const deleted = await this.records.deleteBefore(time, batch);
      pruned += deleted;
      if (deleted < batch || this.isStopping) return pruned;
    }
  }
}
