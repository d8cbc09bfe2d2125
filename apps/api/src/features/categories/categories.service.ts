import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type Category, maxTotals, type NamedCategory } from '@petstore/contracts';
import type { Logger } from 'pino';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ConfigError } from '../../platform/errors/startup-error.js';
import { LOGGER } from '../../platform/logging/logger.js';
import { repeat } from '../../platform/repeat.js';
import { withTimeout } from '../../platform/time-limit.js';
import { readCategoriesFile, versionOf } from './categories-file.js';
import { CategoriesRepository, type CategoryCounts, type Counts } from './categories.repository.js';

const intervalMs = 1000;
/** Counting ten million animals takes more than a second. */
const countsLastMs = 10_000;

const noAnimals = { available: 0n, pending: 0n, sold: 0n };

interface LastCounts {
  counts: Counts;
  /** The time of `performance.now()` from which on new ones are computed. */
  expiresAt: number;
  /** Computing new ones can take longer than a request. */
  isLarge: boolean;
}

/**
 * The categories. Their names, in memory, are reloaded when CATEGORIES_FILE changes. Their counts are kept for 10 s, in a large
 * store until new ones are there.
 */
@Injectable()
export class CategoriesService implements OnModuleInit, OnModuleDestroy {
  private named: readonly NamedCategory[] = [];
  private last: LastCounts | undefined;
  private counting: Promise<Counts> | undefined;
  private version: string | undefined;
  private stop: (() => void) | undefined;

  constructor(
    private readonly repository: CategoriesRepository,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    const { categoriesFile: path } = this.config;
    if (path === undefined) return;
    // Before the file is read: a change in between is found later.
    this.version = await versionOf(path);
    this.named = await readCategoriesFile(path);
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

  /** The named categories in the order of the file, then the others by number of animals. */
  async list(): Promise<Category[]> {
    const { named } = this;
    const { categories } = await this.count();
    const countsOf = new Map(categories.map((one) => [one.id, one]));
    const known = new Set(named.map(({ id }) => id));
    const others = categories.filter(({ id }) => !known.has(id));
    return [
      ...named.map(({ id, name }) => toCategory(name, countsOf.get(id) ?? { id, ...noAnimals })),
      ...others.map((one) => toCategory(null, one)),
    ];
  }

  /** Concurrent requests share one statement. They wait for it, except in a large store that has earlier counts. */
  private async count(): Promise<Counts> {
    const { last } = this;
    if (last && performance.now() < last.expiresAt) return last.counts;
    this.counting ??= this.countAgain().finally(() => (this.counting = undefined));
    if (!last?.isLarge) return withTimeout(this.counting);
    this.counting.catch(() => undefined);
    return last.counts;
  }

  private async countAgain(): Promise<Counts> {
    const begin = performance.now();
    try {
      const counts = await this.repository.count(this.named.map(({ id }) => id));
      const isLarge = counts.animals > maxTotals.list;
      // The database has a pause after a count that takes long.
      this.last = { counts, isLarge, expiresAt: (isLarge ? performance.now() : begin) + countsLastMs };
      return counts;
    } catch (error) {
      if (this.last?.isLarge) {
        this.last.expiresAt = performance.now() + countsLastMs;
        this.logger.warn({ err: error }, 'Cannot count the animals. The last counts remain.');
      }
      throw error;
    }
  }

  private async reload(path: string): Promise<void> {
    const version = await versionOf(path);
    if (version === this.version) return;
    this.version = version;
    try {
      const named = await readCategoriesFile(path);
      // The counts of a category that is named now may be missing.
      await this.counting?.catch(() => undefined);
      if (this.last) this.last.expiresAt = 0;
      this.named = named;
      this.logger.info({ categories: this.named.length }, 'Reloaded CATEGORIES_FILE.');
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      this.logger.error({ fault: error.faults[0] }, 'Cannot reload CATEGORIES_FILE. The previous names remain.');
    }
  }
}

function toCategory(name: string | null, { id, available, pending, sold }: CategoryCounts): Category {
  return { id, name, available, pending, sold };
}
