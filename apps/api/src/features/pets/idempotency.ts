import { hash } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { idempotencyRetentionHours, type NewPet, newPetFields } from '@petstore/contracts';
import type { Logger } from 'pino';
import { pruneLock } from '../../platform/database/locks.js';
import { repeat } from '../../platform/clock.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
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
  fingerprint: Buffer;
  petId: string;
  isExpired: boolean;
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

const findSql = `
  SELECT fingerprint, pet_id AS "petId", created_at <= now() - make_interval(hours => $3) AS "isExpired"
  FROM idempotency_record
  WHERE api_key_id = $1 AND key = $2`;

const deleteExpiredSql = `
  DELETE FROM idempotency_record
  WHERE api_key_id = $1 AND key = $2 AND created_at <= now() - make_interval(hours => $3)`;

/** Deletes nothing while another process prunes. */
const pruneSql = `
  WITH lock AS MATERIALIZED (SELECT pg_try_advisory_xact_lock($1) AS acquired),
  expired AS (
    SELECT api_key_id, key FROM idempotency_record
    WHERE created_at <= now() - make_interval(hours => $2) AND (SELECT acquired FROM lock)
    ORDER BY created_at LIMIT $3
  )
  DELETE FROM idempotency_record USING expired
  WHERE idempotency_record.api_key_id = expired.api_key_id AND idempotency_record.key = expired.key`;

/**
 * The stored claims. The statement that creates pets adds them (pets.repository.ts). The clock of the database decides
 * when they expire: clocks of several processes can differ, and a clock that jumps must not repeat a create.
 */
@Injectable()
export class IdempotencyRecords {
  constructor(private readonly prisma: PrismaService) {}

  async find({ apiKeyId, key }: Idempotency): Promise<IdempotencyRecord | undefined> {
    const values = [apiKeyId, key, idempotencyRetentionHours];
    const { rows } = await this.prisma.pool.query<IdempotencyRecord>(findSql, values);
    return rows[0];
  }

  async deleteExpired({ apiKeyId, key }: Idempotency): Promise<void> {
    await this.prisma.pool.query(deleteExpiredSql, [apiKeyId, key, idempotencyRetentionHours]);
  }

  /** Deletes at most `limit` expired records and returns their number. */
  async prune(limit: number): Promise<number> {
    const { rowCount } = await this.prisma.pool.query(pruneSql, [pruneLock, idempotencyRetentionHours, limit]);
    return rowCount ?? 0;
  }
}

const intervalMs = 60_000;
const batchSize = 500;

/** Deletes expired idempotency records, in small batches so that no lock is held for long. */
@Injectable()
export class IdempotencyPruner implements OnApplicationBootstrap, OnModuleDestroy {
  private stop: (() => void) | undefined;
  private isStopping = false;

  constructor(
    private readonly records: IdempotencyRecords,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.stop = repeat(
      intervalMs,
      () => this.prune(),
      (error) =>
        this.logger.warn({ err: error }, 'Pruning idempotency records failed. The service retries every minute.'),
    );
  }

  onModuleDestroy(): void {
    // Does not wait for the running batch: Nest accepts requests until this method returns.
    this.isStopping = true;
    this.stop?.();
  }

  /** Returns the number of deleted records. */
  async prune(): Promise<number> {
    for (let pruned = 0; ;) {
      const deleted = await this.records.prune(batchSize);
      pruned += deleted;
      if (deleted < batchSize || this.isStopping) return pruned;
    }
  }
}
