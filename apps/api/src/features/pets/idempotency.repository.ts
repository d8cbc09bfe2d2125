import { Injectable } from '@nestjs/common';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Idempotency, IdempotencyRecord } from './idempotency.js';

/** Any number, the same in every process; it locks nothing but the pruning. */
export const pruneLock = 7_373_001;

/** Names each column, so that a new one never leaks by accident. */
const petColumns = { id: true, name: true, categoryId: true, status: true } as const;

@Injectable()
export class IdempotencyRepository {
  constructor(private readonly prisma: PrismaService) {}

  find({ apiKeyId, key }: Idempotency): Promise<IdempotencyRecord | null> {
    return this.prisma.idempotencyRecord.findUnique({
      select: { fingerprint: true, createdAt: true, pet: { select: petColumns } },
      where: { apiKeyId_key: { apiKeyId, key } },
    });
  }

  async delete({ apiKeyId, key }: Idempotency, createdAt: Date): Promise<void> {
    await this.prisma.idempotencyRecord.deleteMany({ where: { apiKeyId, key, createdAt } });
  }

  /**
   * Deletes up to `atMost` records that are older, unless another process is at it.
   * Raw, because Prisma has neither advisory locks nor a DELETE with a limit.
   */
  deleteBefore(time: Date, atMost: number): Promise<number> {
    return this.prisma.$executeRaw`
      WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${pruneLock}) AS mine),
      old AS (
        SELECT api_key_id, key FROM idempotency_record
        WHERE created_at < ${time} AND (SELECT mine FROM turn)
        ORDER BY created_at LIMIT ${atMost}
      )
      DELETE FROM idempotency_record USING old
      WHERE idempotency_record.api_key_id = old.api_key_id AND idempotency_record.key = old.key`;
  }
}
