import { Injectable } from '@nestjs/common';
import { pruneLock } from '../../platform/database/locks.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Idempotency, IdempotencyRecord } from './idempotency.js';

@Injectable()
export class IdempotencyRepository {
  constructor(private readonly prisma: PrismaService) {}

  find({ apiKeyId, key }: Idempotency): Promise<IdempotencyRecord | null> {
    return this.prisma.idempotencyRecord.findUnique({
      select: { fingerprint: true, createdAt: true, petId: true },
      where: { apiKeyId_key: { apiKeyId, key } },
    });
  }

  async delete({ apiKeyId, key }: Idempotency, createdAt: Date): Promise<void> {
    await this.prisma.idempotencyRecord.deleteMany({ where: { apiKeyId, key, createdAt } });
  }

  /**
   * Deletes at most `limit` records that are older than `time`, unless another process is doing so. Returns their number.
   * Raw SQL, because Prisma has neither advisory locks nor DELETE with a limit.
   */
  deleteBefore(time: Date, limit: number): Promise<number> {
    return this.prisma.$executeRaw`
      WITH lock AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${pruneLock}) AS acquired),
      expired AS (
        SELECT api_key_id, key FROM idempotency_record
        WHERE created_at < ${time} AND (SELECT acquired FROM lock)
        ORDER BY created_at LIMIT ${limit}
      )
      DELETE FROM idempotency_record USING expired
      WHERE idempotency_record.api_key_id = expired.api_key_id AND idempotency_record.key = expired.key`;
  }
}
