import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../../platform/logging/logger.js';
import { repeat } from '../../platform/process/repeat.js';
import { PetsRepository } from './pets.repository.js';

const everyMs = 5000;

/** Keeps the rows few that a total is the sum of: each statement that adds animals leaves some. */
@Injectable()
export class CountCompactor implements OnApplicationBootstrap, OnModuleDestroy {
  private stop: (() => void) | undefined;

  constructor(
    private readonly pets: PetsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.stop = repeat(
      everyMs,
      () => this.pets.compactCounts(),
      (error) => this.logger.warn({ err: error }, 'the counts are not compacted; tried again every 5 seconds'),
    );
  }

  onModuleDestroy(): void {
    this.stop?.();
  }
}
