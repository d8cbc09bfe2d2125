import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Category } from '@petstore/contracts';
import type { Logger } from 'pino';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ConfigError } from '../../platform/errors/startup-error.js';
import { LOGGER } from '../../platform/logging/logger.js';
import { repeat } from '../../platform/clock.js';
import { readCategoriesFile, versionOf } from './categories-file.js';

const intervalMs = 1000;

/** The names of the categories, in memory. Reloaded when CATEGORIES_FILE changes. */
@Injectable()
export class CategoriesService implements OnModuleInit, OnModuleDestroy {
  private categories: readonly Category[] = [];
  private version: string | undefined;
  private stop: (() => void) | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    const { categoriesFile: path } = this.config;
    if (path === undefined) return;
    // Before the file is read: a change in between is found later.
    this.version = await versionOf(path);
    this.categories = await readCategoriesFile(path);
    // Events of file systems do not arrive from every mount, and an editor replaces the file.
    this.stop = repeat(
      intervalMs,
      () => this.reload(path),
      (error) => this.logger.error({ err: error }, 'Cannot reload CATEGORIES_FILE.'),
    );
  }

  onModuleDestroy(): void {
    this.stop?.();
  }

  list(): readonly Category[] {
    return this.categories;
  }

  private async reload(path: string): Promise<void> {
    const version = await versionOf(path);
    if (version === this.version) return;
    this.version = version;
    try {
      this.categories = await readCategoriesFile(path);
      this.logger.info({ categories: this.categories.length }, 'Reloaded CATEGORIES_FILE.');
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      this.logger.error({ faults: error.faults }, 'Cannot reload CATEGORIES_FILE. The previous names remain.');
    }
  }
}
