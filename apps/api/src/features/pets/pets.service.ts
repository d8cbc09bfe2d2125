import { Inject, Injectable, Optional } from '@nestjs/common';
import { defaultPetStatus, listLimits, type ListPetsQuery, type NewPet } from '@petstore/contracts';
import { Clock } from '../../platform/clock.js';
import { withTimeout } from '../../platform/errors/unavailable.js';
import type { Metrics } from '../../platform/metrics/metrics.js';
import { METRICS } from '../../platform/metrics/metrics-token.js';
import { createClaim, type Idempotency, type IdempotencyClaim, isRetry, retentionStart } from './idempotency.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { decodeCursor, type Walk } from './pet-cursor.js';
import {
  IdempotencyKeyInUse,
  IdempotencyKeyReused,
  IdExcludesPaging,
  InvalidCursor,
  PetNotFound,
} from './pet.errors.js';
import { PetBatches, type PetPage } from './pet-batches.js';
import { type CreatedPet, type PetInsert, PetsRepository } from './pets.repository.js';

export interface CreateResult extends CreatedPet {
  /** An earlier request with the same idempotency key created the pet. */
  replayed: boolean;
}

@Injectable()
export class PetsService {
  private readonly batches: PetBatches;

  constructor(
    pets: PetsRepository,
    private readonly records: IdempotencyRepository,
    private readonly clock: Clock,
    @Optional() @Inject(METRICS) metrics?: Metrics,
  ) {
    this.batches = new PetBatches(pets, metrics);
  }

  /** @throws IdExcludesPaging, InvalidCursor */
  async list(query: ListPetsQuery): Promise<PetPage> {
    if (query.id !== undefined) return { json: await this.listById(query, query.id), next: undefined };
    const { limit = listLimits.default, order = 'asc', status, after } = query;
    return this.batches.list(order, { status, firstId: firstIdOf({ status, order }, after), size: limit });
  }

  /** The number of pets that match the filter, on all pages. */
  async count({ status, id }: ListPetsQuery): Promise<number> {
    if (id === undefined) return this.batches.count(status);
    return (await this.batches.get({ id, status })) === undefined ? 0 : 1;
  }

  /**
   * Resolves to the pet as a JSON object.
   * @throws PetNotFound
   */
  async get(id: bigint): Promise<string> {
    const json = await this.batches.get({ id, status: undefined });
    if (json === undefined) throw new PetNotFound();
    return json;
  }

  /** @throws IdempotencyKeyReused, IdempotencyKeyInUse */
  create({ status = defaultPetStatus, ...fields }: NewPet, idempotency?: Idempotency): Promise<CreateResult> {
    const newPet = { ...fields, status };
    if (!idempotency) return this.insertOrReplay({ newPet, claim: undefined });
    const claim = createClaim(idempotency, newPet, this.clock.now());
    // A replay runs several statements, which share one timeout.
    return withTimeout(this.insertOrReplay({ newPet, claim }));
  }

  private async insertOrReplay(insert: PetInsert): Promise<CreateResult> {
    // Two attempts: the first may find an expired record and delete it.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const created = await this.batches.create(insert);
      if (created) return { ...created, replayed: false };
      const earlier = insert.claim && (await this.findEarlier(insert.claim));
      if (earlier) return { ...earlier, replayed: true };
    }
    throw new IdempotencyKeyInUse();
  }

  private async listById({ status, after, limit, order }: ListPetsQuery, id: bigint): Promise<string> {
    const paging = Object.entries({ after, limit, order }).find(([, value]) => value !== undefined);
    if (paging) throw new IdExcludesPaging(paging[0]);
    return `[${(await this.batches.get({ id, status })) ?? ''}]`;
  }

  /** Finds the pet that an earlier request with this idempotency key created. Deletes an expired record. */
  private async findEarlier(claim: IdempotencyClaim): Promise<CreatedPet | undefined> {
    const record = await this.records.find(claim);
    if (!record) return undefined;
    if (record.createdAt <= retentionStart(claim.createdAt)) {
      await this.records.delete(claim, record.createdAt);
      return undefined;
    }
    if (!isRetry(claim, record)) throw new IdempotencyKeyReused();
    return { id: record.petId, json: await this.get(record.petId) };
  }
}

function firstIdOf(walk: Walk, after: string | undefined): bigint | undefined {
  if (after === undefined) return undefined;
  const firstId = decodeCursor(walk, after);
  if (firstId === undefined) throw new InvalidCursor();
  return firstId;
}
