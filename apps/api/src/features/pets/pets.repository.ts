import { Injectable } from '@nestjs/common';
import { int64, type ListOrder, type NewPet, type PetStatus } from '@petstore/contracts';
import type { Pool } from 'pg';
import { recountLock } from '../../platform/database/locks.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { retryRead } from '../../platform/database/retry-read.js';
import type { IdempotencyClaim } from './idempotency.js';
import { newPetFields } from './pet.columns.js';
import { countSql, createSql, getSql, listSql, mergeCountsSql, recountSql } from './pets.sql.js';

export interface PageRequest {
  status: PetStatus | undefined;
  /** The page starts with this id or the next one in its order; `undefined` is the first page. */
  firstId: bigint | undefined;
  size: number;
}

export interface Page {
  /** The pets as a JSON array. */
  json: string;
  /** The id of the last pet, if more pets follow. */
  lastId: bigint | undefined;
}

export interface PetRequest {
  id: bigint;
  /** The status that the pet must have. */
  status: PetStatus | undefined;
}

export interface PetInsert {
  newPet: NewPet;
  claim: IdempotencyClaim | undefined;
}

export interface CreatedPet {
  id: bigint;
  /** The pet as a JSON object. */
  json: string;
}

export interface Recount {
  status: PetStatus;
  before: bigint;
  actual: bigint;
}

const listStatements = {
  asc: { all: listSql('asc', false), filtered: listSql('asc', true) },
  desc: { all: listSql('desc', false), filtered: listSql('desc', true) },
};

/** Serves many requests with one statement each. Raw SQL, because Prisma cannot express it (docs/decisions/batches.md). */
@Injectable()
export class PetsRepository {
  private readonly pool: Pool;

  constructor(private readonly prisma: PrismaService) {
    this.pool = prisma.pool;
  }

  /** All requests have a status, or none. */
  async list(order: ListOrder, requests: readonly PageRequest[]): Promise<Page[]> {
    const start = order === 'asc' ? int64.min : int64.max;
    const filter = requests[0]?.status === undefined ? 'all' : 'filtered';
    const values: unknown[] = [requests.map(({ firstId }) => firstId ?? start), requests.map(({ size }) => size)];
    if (filter === 'filtered') values.push(requests.map(({ status }) => status));
    const statement = { name: `list ${order} ${filter}`, text: listStatements[order][filter] };
    const rows = await retryRead(() => this.run<[string | null, string | null]>(statement, values));
    return rows.map(([json, lastId]) => ({ json: json ?? '[]', lastId: lastId === null ? undefined : BigInt(lastId) }));
  }

  /** Resolves to JSON objects, `undefined` for each pet that does not exist. */
  async get(requests: readonly PetRequest[]): Promise<(string | undefined)[]> {
    const values = [requests.map(({ id }) => id), requests.map(({ status }) => status)];
    const rows = await retryRead(() => this.run<[string | null]>({ name: 'get', text: getSql }, values));
    return rows.map(([json]) => json ?? undefined);
  }

  /** Resolves to `undefined` for each pet that was not created because its idempotency key is taken. */
  async create(inserts: readonly PetInsert[]): Promise<(CreatedPet | undefined)[]> {
    const claims = inserts.map(({ claim }) => claim);
    const rows = await this.run<[string, string] | [null, null]>({ name: 'create', text: createSql }, [
      ...newPetFields.map((field) => inserts.map(({ newPet }) => newPet[field])),
      claims.map((claim) => claim?.apiKeyId),
      claims.map((claim) => claim?.key),
      claims.map((claim) => claim?.fingerprint.toString('hex')),
      claims.map((claim) => claim?.createdAt.toISOString()),
    ]);
    return rows.map(([id, json]) => (id === null ? undefined : { id: BigInt(id), json }));
  }

  /** The number of pets of each status that has any. */
  async count(): Promise<ReadonlyMap<PetStatus, number>> {
    const rows = await retryRead(() => this.run<[PetStatus, string]>({ name: 'count', text: countSql }, []));
    return new Map(rows.map(([status, pets]) => [status, Number(pets)]));
  }

  /** Merges rows of `pet_count`, so that counting stays fast. */
  async mergeCounts(): Promise<void> {
    await this.pool.query(mergeCountsSql);
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

  /** A named statement is prepared once per connection. */
  private async run<Row extends unknown[]>(
    statement: { name: string; text: string },
    values: unknown[],
  ): Promise<Row[]> {
    const { rows } = await this.pool.query<Row>({ ...statement, values, rowMode: 'array' });
    return rows;
  }
}
