import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../platform/clock/clock.js';
import { LOGGER } from '../../platform/logging/logger.js';
import { retentionStart } from './idempotency.js';
import { IdempotencyRepository } from './idempotency.repository.js';

const everyMs = 60_000;
const batch = 500;

/** Forgets idempotency keys after their day, in small batches, so that no lock is held for long. */
@Injectable()
export class IdempotencyPruner implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> | undefined;
  private isStopping = false;

  constructor(
    private readonly records: IdempotencyRepository,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running ??= this.prune()
        .catch((error: unknown) =>
          this.logger.warn({ err: error }, 'old idempotency keys were not pruned; next try in a minute'),
        )
        .finally(() => (this.running = undefined));
    }, everyMs).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    // The rest has time: until this is over, Nest goes on accepting requests.
    this.isStopping = true;
    await this.running;
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
