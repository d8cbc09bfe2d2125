import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { PetStatus } from '@petstore/contracts';
import type { Logger } from 'pino';
import { recountLock } from '../../platform/database/locks.js';
import { repeat } from '../../platform/clock.js';
import { PrismaService, withPrisma } from '../../platform/database/prisma.service.js';
import { retryRead } from '../../platform/database/database-error.js';
import { LOGGER } from '../../platform/logging/logger.js';

export interface Recount {
  status: PetStatus;
  before: bigint;
  actual: bigint;
}

const countSql = 'SELECT status, sum(pets)::bigint AS pets FROM pet_count GROUP BY status';

/** At most 50,000 rows at a time (about 0.1 s). Concurrent merges skip each other's rows. */
const mergeSql = `
  WITH merged AS (
    DELETE FROM pet_count
    WHERE (SELECT count(*) FROM pet_count) > 100
      AND id IN (SELECT id FROM pet_count LIMIT 50000 FOR UPDATE SKIP LOCKED)
    RETURNING status, pets
  )
  INSERT INTO pet_count (status, pets) SELECT status, sum(pets) FROM merged GROUP BY status HAVING sum(pets) <> 0`;

/** Compares and corrects in one statement, so that both counts come from the same snapshot. */
const recountSql = `
  WITH kept AS (SELECT status, sum(pets)::bigint AS pets FROM pet_count GROUP BY status),
  actual AS (SELECT status, count(*) AS pets FROM pet GROUP BY status),
  compared AS (
    SELECT status, coalesce(kept.pets, 0) AS before, coalesce(actual.pets, 0) AS actual
    FROM kept FULL JOIN actual USING (status)
  ), corrected AS (
    INSERT INTO pet_count (status, pets) SELECT status, actual - before FROM compared WHERE actual <> before
  )
  SELECT status::text, before, actual FROM compared ORDER BY compared.status`;

/** The number of pets of each status. Triggers append a row to `pet_count` for each statement that creates pets. */
@Injectable()
export class PetCounts {
  constructor(private readonly prisma: PrismaService) {}

  /** The number of pets of each status that has any. */
  async count(): Promise<ReadonlyMap<PetStatus, number>> {
    const query = { name: 'count', text: countSql };
    const { rows } = await retryRead(() => this.prisma.pool.query<{ status: PetStatus; pets: string }>(query));
    return new Map(rows.map(({ status, pets }) => [status, Number(pets)]));
  }

  /** Merges rows of `pet_count` if there are more than 100, so that counting stays fast. */
  async merge(): Promise<void> {
    await this.prisma.pool.query(mergeSql);
  }

  /**
   * Counts every pet and corrects `pet_count`. Writers are not blocked. A second recount waits for the first, however long
   * that takes, and does not correct the same difference again.
   */
  recount(): Promise<Recount[]> {
    return this.prisma.$transaction(async (transaction) => {
      await transaction.$executeRaw`SET LOCAL lock_timeout = 0`;
      await transaction.$executeRaw`SELECT pg_advisory_xact_lock(${recountLock})`;
      return transaction.$queryRawUnsafe<Recount[]>(recountSql);
    });
  }
}

/** One hour: only an operator waits for it. */
const recountTimeoutMs = 3_600_000;

/** Recounts the pets of a database, without the app. */
export function recountPets(url: string): Promise<Recount[]> {
  return withPrisma({ url, statementTimeoutMs: recountTimeoutMs }, (prisma) => new PetCounts(prisma).recount());
}

const intervalMs = 5000;

/** Merges the rows of `pet_count` at an interval. */
@Injectable()
export class CountMerger implements OnApplicationBootstrap, OnModuleDestroy {
  private stop: (() => void) | undefined;

  constructor(
    private readonly counts: PetCounts,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.stop = repeat(
      intervalMs,
      () => this.counts.merge(),
      (error) => this.logger.warn({ err: error }, 'Merging pet counts failed. The service retries every 5 seconds.'),
    );
  }

  onModuleDestroy(): void {
    this.stop?.();
  }
}
