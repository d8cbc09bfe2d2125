import { Injectable } from '@nestjs/common';
import { defaultPetStatus, listLimits, type ListPetsQuery, type NewPet, type Pet } from '@petstore/contracts';
import { Clock } from '../../platform/clock/clock.js';
import { withTimeout } from '../../platform/errors/timeout.js';
import { claimOf, type Idempotency, type IdempotencyClaim, retentionStart } from './idempotency.js';
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
import { PetsRepository } from './pets.repository.js';

export interface AddedPet {
  pet: Pet;
  /** The animal was added by an earlier request with the same idempotency key. */
  replayed: boolean;
}

@Injectable()
export class PetsService {
  private readonly batches: PetBatches;

  constructor(
    pets: PetsRepository,
    private readonly records: IdempotencyRepository,
    private readonly clock: Clock,
  ) {
    this.batches = new PetBatches(pets);
  }

  /** @throws IdExcludesPaging, InvalidCursor */
  async list(query: ListPetsQuery): Promise<PetPage> {
    if (query.id !== undefined) return { json: await this.listById(query, query.id) };
    const { limit = listLimits.default, order = 'asc', status, after } = query;
    return this.batches.page(order, { status, afterId: placeOf({ status, order }, after), size: limit });
  }

  /** How many animals a list has on all its pages together. */
  async count({ status, id }: ListPetsQuery): Promise<number> {
    if (id === undefined) return this.batches.count(status);
    return (await this.batches.find({ id, status })) === null ? 0 : 1;
  }

  /**
   * As JSON text.
   * @throws PetNotFound
   */
  async get(id: bigint): Promise<string> {
    const pet = await this.batches.find({ id, status: undefined });
    if (pet === null) throw new PetNotFound();
    return pet;
  }

  /** @throws IdempotencyKeyReused, IdempotencyKeyInUse */
  create({ name, categoryId, status = defaultPetStatus }: NewPet, idempotency?: Idempotency): Promise<AddedPet> {
    const newPet = { name, categoryId, status };
    if (!idempotency) return this.createOnce(newPet, undefined);
    // A key may need several statements, one after the other: they share one timeout.
    return withTimeout(this.createOnce(newPet, claimOf(idempotency, newPet, this.clock.now())));
  }

  private async createOnce(newPet: Required<NewPet>, claim: IdempotencyClaim | undefined): Promise<AddedPet> {
    // Twice, because the record that is in the way may be too old to count, and then makes room.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const id = await this.batches.add({ newPet, claim });
      if (id !== null) return { pet: { id, ...newPet }, replayed: false };
      const earlier = claim && (await this.findEarlier(claim));
      if (earlier) return { pet: earlier, replayed: true };
    }
    throw new IdempotencyKeyInUse();
  }

  private async listById({ status, after, limit, order }: ListPetsQuery, id: bigint): Promise<string> {
    const paging = Object.entries({ after, limit, order }).find(([, value]) => value !== undefined);
    if (paging) throw new IdExcludesPaging(paging[0]);
    return `[${(await this.batches.find({ id, status })) ?? ''}]`;
  }

  /** The animal that was added under the same key; an outdated record is deleted instead. */
  private async findEarlier(claim: IdempotencyClaim): Promise<Pet | undefined> {
    const record = await this.records.find(claim);
    if (!record) return undefined;
    if (record.createdAt <= retentionStart(claim.createdAt)) {
      await this.records.delete(claim, record.createdAt);
      return undefined;
    }
    if (!Buffer.from(record.fingerprint).equals(claim.fingerprint)) throw new IdempotencyKeyReused();
    return record.pet;
  }
}

function placeOf(walk: Walk, after: string | undefined): bigint | undefined {
  if (after === undefined) return undefined;
  const place = decodeCursor(walk, after);
  if (place === undefined) throw new InvalidCursor();
  return place;
}
