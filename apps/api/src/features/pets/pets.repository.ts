import { Injectable } from '@nestjs/common';
import type { ListOrder, NewPet, Pet, PetStatus } from '@petstore/contracts';
import { isUniqueViolation } from '../../platform/database/database-error.js';
import { Prisma } from '../../platform/database/generated/client.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Idempotency, IdempotencyClaim, IdempotencyRecord } from './idempotency.js';

export interface PageOfPets {
  status: PetStatus | undefined;
  order: ListOrder;
  /** Animals behind this id, in that order. */
  afterId: bigint | undefined;
  take: number;
}

/** Which animals; `undefined` stands for all. */
export interface PetFilter {
  status: PetStatus | undefined;
  id: bigint | undefined;
}

/** Any number, the same in every process; it locks nothing but the pruning. */
export const pruneLock = 7_373_001;

const { sql } = Prisma;

/** Names each column, so that a new one never leaks by accident. */
const columns = { id: true, name: true, categoryId: true, status: true } as const;

@Injectable()
export class PetsRepository {
  constructor(private readonly prisma: PrismaService) {}

  page(page: PageOfPets): Promise<Pet[]> {
    const { status, order, afterId, take } = page;
    if (status !== undefined) return this.pageOfStatus(status, page);
    const where = afterId === undefined ? {} : { id: order === 'asc' ? { gt: afterId } : { lt: afterId } };
    return this.prisma.pet.findMany({ select: columns, where, orderBy: { id: order }, take });
  }

  /**
   * Raw, and the status as a range: told that it equals one, PostgreSQL walks the primary key and throws away what has
   * another, which may be nearly all there is. This way only the index of both columns has the order and the place.
   */
  private pageOfStatus(status: PetStatus, { order, afterId, take }: PageOfPets): Promise<Pet[]> {
    const [beyond, upTo, direction] = order === 'asc' ? [sql`>`, sql`<=`, sql`ASC`] : [sql`<`, sql`>=`, sql`DESC`];
    const one = sql`${status}::"PetStatus"`;
    const start =
      afterId === undefined ? sql`status ${beyond}= ${one}` : sql`(status, id) ${beyond} (${one}, ${afterId})`;
    return this.prisma.$queryRaw<Pet[]>`
      SELECT id, name, category_id AS "categoryId", status FROM pet
      WHERE ${start} AND status ${upTo} ${one}
      ORDER BY status ${direction}, id ${direction} LIMIT ${take}`;
  }

  count({ status, id }: PetFilter): Promise<number> {
    return this.prisma.pet.count({ where: { ...(status && { status }), ...(id !== undefined && { id }) } });
  }

  find(id: bigint): Promise<Pet | null> {
    return this.prisma.pet.findUnique({ select: columns, where: { id } });
  }

  create(newPet: Required<NewPet>): Promise<Pet> {
    return this.prisma.pet.create({ select: columns, data: newPet });
  }

  /** The animal and its record in one transaction; `undefined`, and nothing stored, when the claim's key is taken. */
  async createOnce(newPet: Required<NewPet>, claim: IdempotencyClaim): Promise<Pet | undefined> {
    try {
      const data = { ...newPet, idempotencyRecords: { create: claim } };
      return await this.prisma.pet.create({ select: columns, data });
    } catch (error) {
      if (isUniqueViolation(error)) return undefined;
      throw error;
    }
  }

  findRecord({ apiKeyId, key }: Idempotency): Promise<IdempotencyRecord | null> {
    return this.prisma.idempotencyRecord.findUnique({
      select: { fingerprint: true, createdAt: true, pet: { select: columns } },
      where: { apiKeyId_key: { apiKeyId, key } },
    });
  }

  async deleteRecord({ apiKeyId, key }: Idempotency, createdAt: Date): Promise<void> {
    await this.prisma.idempotencyRecord.deleteMany({ where: { apiKeyId, key, createdAt } });
  }

  /**
   * Deletes up to `atMost` records that are older, unless another process is at it.
   * Raw, because Prisma has neither advisory locks nor a DELETE with a limit.
   */
  deleteRecordsBefore(time: Date, atMost: number): Promise<number> {
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
