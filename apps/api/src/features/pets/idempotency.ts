import { hash } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { idempotencyRetentionHours, type NewPet, newPetFields } from '@petstore/contracts';
import type { Logger } from 'pino';
import { pruneLock } from '../../platform/database/locks.js';
import { repeat } from '../../platform/repeat.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { DiskSpace } from '../../platform/disk-space.js';
import { LOGGER } from '../../platform/logging/logger.js';

/** The `Idempotency-Key` of a create. It belongs to the API key. */
export interface Idempotency {
  apiKeyId: number;
  key: string;
}

/** What a create with an idempotency key claims. The first one becomes the record of the key. */
export interface IdempotencyClaim extends Idempotency {
  fingerprint: Buffer;
}

interface IdempotencyRecord {
  fingerprint: Uint8Array;
  petId: bigint;
}

/** Change it when fingerprints of equal pets change, so that retries across an upgrade are not rejected. */
const fingerprintVersion = 1;

export function createClaim(idempotency: Idempotency, newPet: NewPet): IdempotencyClaim {
  return { ...idempotency, fingerprint: fingerprintOf(newPet) };
}

/** Whether the request repeats the recorded one. Fingerprints of different versions cannot be compared and count as equal. */
export function isRetry(claim: IdempotencyClaim, record: IdempotencyRecord): boolean {
  return claim.fingerprint[0] !== record.fingerprint[0] || claim.fingerprint.equals(record.fingerprint);
}

/**
 * A version byte, then the SHA-256 of the values: not of the request's text, so that 1.0 equals 1. Omitted optional fields
 * are left out, so that a new field does not change existing fingerprints.
 */
function fingerprintOf(newPet: NewPet): Buffer {
  const values = newPetFields
    .filter((field) => newPet[field] !== undefined)
    .map((field) => [field, String(newPet[field])]);
  return Buffer.concat([Buffer.of(fingerprintVersion), hash('sha256', JSON.stringify(values), 'buffer')]);
}

const pruneEveryMs = 60_000;
const pruneBatchSize = 500;

/** The stored claims. The statement that creates pets adds them, and replaces expired ones (pets.repository.ts). */
@Injectable()
export class IdempotencyRecords implements OnApplicationBootstrap, OnModuleDestroy {
  private stop: (() => void) | undefined;
  private isStopping = false;

  constructor(
    private readonly prisma: PrismaService,
    private readonly disk: DiskSpace,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const message = 'Pruning idempotency records failed. The service retries every minute.';
    this.stop = repeat(
      pruneEveryMs,
      () => this.prune(),
      (error) => this.logger.warn({ err: error }, message),
    );
  }

  onModuleDestroy(): void {
    // Does not wait for the running batch: Nest accepts requests until this method returns.
    this.isStopping = true;
    this.stop?.();
  }

  /** Finds a record, expired or not. */
  find({ apiKeyId, key }: Idempotency): Promise<IdempotencyRecord | null> {
    const select = { fingerprint: true, petId: true };
    return this.prisma.idempotencyRecord.findUnique({ select, where: { apiKeyId_key: { apiKeyId, key } } });
  }

  /** Deletes the expired records, in small batches so that no lock is held for long. Returns their number. */
  async prune(): Promise<number> {
    // A deletion writes too.
    for (let pruned = 0; ;) {
      if (this.disk.isFull) return pruned;
      const deleted = await this.pruneBatch();
      pruned += deleted;
      if (deleted < pruneBatchSize || this.isStopping) return pruned;
    }
  }

  /** Deletes nothing while another process prunes, and no record that a create has just replaced. */
  private pruneBatch(): Promise<number> {
    return this.prisma.$executeRaw`
      WITH lock AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${pruneLock}) AS acquired),
      expired AS (
        SELECT api_key_id, key FROM idempotency_record
        WHERE created_at <= now() - make_interval(hours => ${idempotencyRetentionHours}) AND (SELECT acquired FROM lock)
        ORDER BY created_at LIMIT ${pruneBatchSize}
      )
      DELETE FROM idempotency_record USING expired
      WHERE idempotency_record.api_key_id = expired.api_key_id AND idempotency_record.key = expired.key
        AND created_at <= now() - make_interval(hours => ${idempotencyRetentionHours})`;
  }
}
