import { Injectable } from '@nestjs/common';
import { defaultPetStatus, listLimits, type ListPetsQuery, type NewPet } from '@petstore/contracts';
import { withTimeout } from '../../platform/clock.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { createClaim, type Idempotency, type IdempotencyClaim, IdempotencyRecords, isRetry } from './idempotency.js';
import { decodeCursor, type Walk } from './pet-cursor.js';
import { PetBatches, type ListResult } from './pet-batches.js';
import type { CreatedPet, PetInsert } from './pets.repository.js';

export interface CreateResult extends CreatedPet {
  /** An earlier request with the same idempotency key created the pet. */
  replayed: boolean;
}

@Injectable()
export class PetsService {
  constructor(
    private readonly batches: PetBatches,
    private readonly records: IdempotencyRecords,
  ) {}

  /** @throws DomainError invalid_query, invalid_cursor */
  async list(query: ListPetsQuery): Promise<ListResult> {
    if (query.id !== undefined) return { json: await this.listById(query, query.id), next: undefined };
    const { limit = listLimits.default, order = 'asc', status, after } = query;
    return this.batches.list({ order, status, firstId: firstIdAfter({ status, order }, after), size: limit });
  }

  /** The number of pets that match the filter, on all pages. */
  async count({ status, id }: ListPetsQuery): Promise<number> {
    if (id === undefined) return this.batches.count(status);
    return (await this.batches.get({ id, status })) === undefined ? 0 : 1;
  }

  /**
   * Resolves to the pet as a JSON object.
   * @throws DomainError pet_not_found
   */
  async get(id: bigint): Promise<string> {
    const json = await this.batches.get({ id, status: undefined });
    if (json === undefined) throw new DomainError('pet_not_found');
    return json;
  }

  /** @throws DomainError idempotency_key_reused, idempotency_key_in_use */
  create({ status = defaultPetStatus, ...fields }: NewPet, idempotency?: Idempotency): Promise<CreateResult> {
    const newPet = { ...fields, status };
    if (!idempotency) return this.insertOrReplay({ newPet, claim: undefined });
    const claim = createClaim(idempotency, newPet);
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
    throw new DomainError('idempotency_key_in_use', undefined, { retryAfter: 1 });
  }

  private async listById({ status, after, limit, order }: ListPetsQuery, id: bigint): Promise<string> {
    const paging = Object.entries({ after, limit, order }).find(([, value]) => value !== undefined);
    if (paging) {
      throw new DomainError('invalid_query', `\`id\` cannot be combined with \`${paging[0]}\`, only with \`status\`.`);
    }
    return `[${(await this.batches.get({ id, status })) ?? ''}]`;
  }

  /** Finds the pet that an earlier request with this idempotency key created. Deletes an expired record. */
  private async findEarlier(claim: IdempotencyClaim): Promise<CreatedPet | undefined> {
    const record = await this.records.find(claim);
    if (!record) return undefined;
    if (record.isExpired) {
      await this.records.deleteExpired(claim);
      return undefined;
    }
    if (!isRetry(claim, record)) throw new DomainError('idempotency_key_reused');
    const id = BigInt(record.petId);
    return { id, json: await this.get(id) };
  }
}

/** The id that a cursor holds. */
function firstIdAfter(walk: Walk, after: string | undefined): bigint | undefined {
  if (after === undefined) return undefined;
  const firstId = decodeCursor(walk, after);
  if (firstId === undefined) throw new DomainError('invalid_cursor');
  return firstId;
}
