import { Injectable } from '@nestjs/common';
import { defaultPetStatus, listLimits, type ListPetsQuery, type NewPet, type Pet } from '@petstore/contracts';
import { Clock } from '../../platform/clock/clock.js';
import { claimOf, type Idempotency, type IdempotencyClaim, retentionStart } from './idempotency.js';
import { decodeCursor, encodeCursor, type Walk } from './pet-cursor.js';
import {
  IdempotencyKeyInUse,
  IdempotencyKeyReused,
  IdExcludesPaging,
  InvalidCursor,
  PetNotFound,
} from './pet.errors.js';
import { PetsRepository } from './pets.repository.js';

export interface PetPage {
  pets: Pet[];
  /** The cursor of the next page, when there is one. */
  next?: string;
}

export interface AddedPet {
  pet: Pet;
  /** The animal was added by an earlier request with the same idempotency key. */
  replayed: boolean;
}

@Injectable()
export class PetsService {
  constructor(
    private readonly pets: PetsRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws IdExcludesPaging, InvalidCursor */
  async list(query: ListPetsQuery): Promise<PetPage> {
    if (query.id !== undefined) return { pets: await this.listById(query, query.id) };
    const { limit = listLimits.default, order = 'asc', status, after } = query;
    const walk = { status, order };
    // One more than asked for tells whether there is a next page.
    const found = await this.pets.page({ ...walk, afterId: placeOf(walk, after), take: limit + 1 });
    const pets = found.slice(0, limit);
    const last = pets.at(-1);
    return found.length > limit && last ? { pets, next: encodeCursor(walk, last.id) } : { pets };
  }

  /** How many animals a list has on all its pages together. */
  count({ status, id }: ListPetsQuery): Promise<number> {
    return this.pets.count({ status, id });
  }

  /** @throws PetNotFound */
  async get(id: bigint): Promise<Pet> {
    const pet = await this.pets.find(id);
    if (!pet) throw new PetNotFound();
    return pet;
  }

  /** @throws IdempotencyKeyReused, IdempotencyKeyInUse */
  async create({ name, categoryId, status = defaultPetStatus }: NewPet, idempotency?: Idempotency): Promise<AddedPet> {
    const newPet = { name, categoryId, status };
    if (idempotency) return this.createOnce(newPet, claimOf(idempotency, newPet, this.clock.now()));
    return { pet: await this.pets.create(newPet), replayed: false };
  }

  private async listById({ status, after, limit, order }: ListPetsQuery, id: bigint): Promise<Pet[]> {
    const paging = Object.entries({ after, limit, order }).find(([, value]) => value !== undefined);
    if (paging) throw new IdExcludesPaging(paging[0]);
    const pet = await this.pets.find(id);
    return pet && (status === undefined || pet.status === status) ? [pet] : [];
  }

  private async createOnce(newPet: Required<NewPet>, claim: IdempotencyClaim): Promise<AddedPet> {
    // Twice, because the record that is in the way may be too old to count, and then makes room.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const pet = await this.pets.createOnce(newPet, claim);
      if (pet) return { pet, replayed: false };
      const record = await this.pets.findRecord(claim);
      if (record && record.createdAt > retentionStart(claim.createdAt)) {
        if (!Buffer.from(record.fingerprint).equals(claim.fingerprint)) throw new IdempotencyKeyReused();
        return { pet: record.pet, replayed: true };
      }
      if (record) await this.pets.deleteRecord(claim, record.createdAt);
    }
    throw new IdempotencyKeyInUse();
  }
}

function placeOf(walk: Walk, after: string | undefined): bigint | undefined {
  if (after === undefined) return undefined;
  const place = decodeCursor(walk, after);
  if (place === undefined) throw new InvalidCursor();
  return place;
}
