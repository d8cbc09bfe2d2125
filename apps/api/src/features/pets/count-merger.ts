import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../../platform/logging/logger.js';
import { repeat } from '../../platform/clock.js';
import { PetsRepository } from './pets.repository.js';

const intervalMs = 5000;

/** Merges the rows of `pet_count`: every statement that creates pets appends some. */
@Injectable()
export class CountMerger implements OnApplicationBootstrap, OnModuleDestroy {
  private stop: (() => void) | undefined;

  constructor(
    private readonly pets: PetsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.stop = repeat(
      intervalMs,
      () => this.pets.mergeCounts(),
      (error) => this.logger.warn({ err: error }, 'Merging pet counts failed. The service retries every 5 seconds.'),
    );
  }

  onModuleDestroy(): void {
    this.stop?.();
  }
}
