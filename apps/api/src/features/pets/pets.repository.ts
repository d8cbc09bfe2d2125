import { Injectable } from '@nestjs/common';
import type { ListOrder, NewPet, Pet, PetStatus } from '@petstore/contracts';
import { isUniqueViolation } from '../../platform/database/database-error.js';
import { PrismaService } from '../../platform/database/prisma.service.js';

export interface PageOfPets {
  status: PetStatus | undefined;
  order: ListOrder;
  /** Animals behind this id, in that order. */
  afterId: bigint | undefined;
  take: number;
}

/** What makes a repeated request the same one: who asked, under which key, for which animal. */
export interface IdempotencyClaim {
  apiKeyId: number;
  key: string;
  /** SHA-256 of the animal. */
  fingerprint: Uint8Array<ArrayBuffer>;
}

export interface IdempotencyRecord {
  fingerprint: Uint8Array;
  createdAt: Date;
  pet: Pet;
}

/** Names each column, so that a new one never leaks by accident. */
const columns = { id: true, name: true, categoryId: true, status: true } as const;

@Injectable()
export class PetsRepository {
  constructor(private readonly prisma: PrismaService) {}

  page({ status, order, afterId, take }: PageOfPets): Promise<Pet[]> {
    const where = {
      ...(status && { status }),
      ...(afterId !== undefined && { id: order === 'asc' ? { gt: afterId } : { lt: afterId } }),
    };
    return this.prisma.pet.findMany({ select: columns, where, orderBy: { id: order }, take });
  }

  count(status: PetStatus | undefined): Promise<number> {
    return this.prisma.pet.count({ where: { ...(status && { status }) } });
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

  findRecord({ apiKeyId, key }: IdempotencyClaim): Promise<IdempotencyRecord | null> {
    return this.prisma.idempotencyRecord.findUnique({
      select: { fingerprint: true, createdAt: true, pet: { select: columns } },
      where: { apiKeyId_key: { apiKeyId, key } },
    });
  }

  async deleteRecord({ apiKeyId, key }: IdempotencyClaim, createdAt: Date): Promise<void> {
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

/** Any number, the same in every process; it locks nothing but the pruning. */
const pruneLock = 7_373_001;
