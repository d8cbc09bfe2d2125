import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { withTimeout } from '../clock.js';
import { PrismaClient } from './generated/client.js';
import { createPool, type PoolOptions } from './pool.js';

/** Most probes time out after a few seconds. */
const pingTimeoutMs = 2000;

/** Prisma's client, and the pool that it shares with the statements that bypass it. */
@Injectable()
export class PrismaService extends PrismaClient implements OnApplicationShutdown {
  readonly pool: pg.Pool;
  private pingInProgress: Promise<void> | undefined;

  constructor(options: PoolOptions) {
    const pool = createPool(options);
    super({
      adapter: new PrismaPg(pool),
      // With Prisma's defaults (2 s to begin, 5 s in total), a start on a busy machine and long statements would fail.
      transactionOptions: { maxWait: options.statementTimeoutMs, timeout: options.statementTimeoutMs },
    });
    this.pool = pool;
  }

  /** Rejects if the database does not respond within 2 s. Concurrent calls share one query. */
  ping(): Promise<void> {
    this.pingInProgress ??= this.pool
      .query('SELECT 1')
      .then(() => undefined)
      .finally(() => (this.pingInProgress = undefined));
    return withTimeout(this.pingInProgress, pingTimeoutMs);
  }

  /** Waits for running statements, then closes the connections. */
  async close(): Promise<void> {
    await this.$disconnect();
    await this.pool.end();
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}

/** For a command: opens one connection for `use`, then closes it. */
export async function withPrisma<Result>(
  options: Omit<PoolOptions, 'max'>,
  use: (prisma: PrismaService) => Promise<Result>,
): Promise<Result> {
  const prisma = new PrismaService({ ...options, max: 1 });
  try {
    return await use(prisma);
  } finally {
    await prisma.close();
  }
}
