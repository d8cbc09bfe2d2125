import { Injectable } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.js';
import { DatabasePool } from './pool.js';

/** Prisma's client, on the connections of the pool, which closes them. */
@Injectable()
export class PrismaService extends PrismaClient {
  constructor(pool: DatabasePool) {
    const timeout = pool.statementTimeoutMs;
    // With Prisma's defaults (2 s to begin, 5 s in total), a start on a busy machine and long statements would fail.
    super({ adapter: new PrismaPg(pool), transactionOptions: { maxWait: timeout, timeout } });
  }
}
