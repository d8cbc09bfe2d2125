import { Injectable } from '@nestjs/common';
import { defaultPetStatus, listLimits, type ListPetsQuery, type NewPet } from '@petstore/contracts';
import { withTimeout } from '../../platform/time-limit.js';
import { DiskSpace } from '../../platform/disk-space.js';
import { diskFull, DomainError } from '../../platform/errors/domain-error.js';
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
    private readonly disk: DiskSpace,
  ) {}

  /** @throws DomainError invalid_query, invalid_cursor */
  async list(query: ListPetsQuery, apiKeyId: number): Promise<ListResult> {
    const { id, limit = listLimits.default, order = 'asc', after, ...filter } = query;
    if (id !== undefined) return { json: await this.listById(query, id), next: undefined };
    const page = { order, filter, firstId: firstIdAfter({ filter, order }, after), size: limit };
    return this.batches.list(page, apiKeyId);
  }

  /** The number of pets that match the filter, on all pages; `undefined` if words match more than 10,000. */
  async count(
    { id, limit: _limit, order: _order, after: _after, ...filter }: ListPetsQuery,
    apiKeyId: number,
  ): Promise<number | undefined> {
    if (id === undefined) return this.batches.count(filter, apiKeyId);
    return (await this.batches.get({ id, status: filter.status })) === undefined ? 0 : 1;
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

  /** @throws DomainError service_unavailable, idempotency_key_reused, idempotency_key_in_use */
  async create({ status = defaultPetStatus, ...fields }: NewPet, idempotency?: Idempotency): Promise<CreateResult> {
    if (this.disk.isFull) throw diskFull();
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

  /** `limit` and `order` do not change the result: tools fill in their examples. */
  private async listById(
    { status, limit: _limit, order: _order, ...others }: ListPetsQuery,
    id: bigint,
  ): Promise<string> {
    const other = Object.keys(others).find((name) => name !== 'id');
    if (other !== undefined) {
      const message = `\`id\` cannot be combined with \`${other}\`, only with \`status\`, \`limit\` and \`order\`.`;
      throw new DomainError('invalid_query', message);
    }
    return `[${(await this.batches.get({ id, status })) ?? ''}]`;
  }

  /** Finds the pet that an earlier request with this idempotency key created. Deletes an expired record. */
  private async findEarlier(claim: IdempotencyClaim): Promise<CreatedPet | undefined> {
    if (await this.records.deleteExpired(claim)) return undefined;
    const record = await this.records.find(claim);
    if (!record) return undefined;
    if (!isRetry(claim, record)) throw new DomainError('idempotency_key_reused');
    return { id: record.petId, json: await this.get(record.petId) };
  }
}

/** The id that a cursor holds. */
function firstIdAfter(walk: Walk, after: string | undefined): bigint | undefined {
  if (after === undefined) return undefined;
  const firstId = decodeCursor(walk, after);
  if (firstId === undefined) throw new DomainError('invalid_cursor');
  return firstId;
}
