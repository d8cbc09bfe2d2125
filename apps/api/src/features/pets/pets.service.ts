import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  defaultPetStatus,
  idempotencyRetentionHours,
  listLimits,
  type ListPetsQuery,
  type NewPet,
  type Pet,
} from '@petstore/contracts';
import { Clock } from '../../platform/clock/clock.js';
import { decodeCursor, encodeCursor, type Walk } from './pet-cursor.js';
import { IdempotencyKeyInUse, IdempotencyKeyReused, IdExcludesPaging, InvalidCursor, PetNotFound } from './pet.errors.js';
import { type IdempotencyClaim, type IdempotencyRecord, PetsRepository } from './pets.repository.js';

export interface PetPage {
  pets: Pet[];
  /** The cursor of the next page, when there is one. */
  next?: string;
}

/** Under which key an animal is added at most once. */
export interface Idempotency {
  apiKeyId: number;
  key: string;
}

const retentionMs = idempotencyRetentionHours * 3_600_000;

@Injectable()
export class PetsService {
  constructor(
    private readonly pets: PetsRepository,
    private readonly clock: Clock,
  ) {}

  async list(query: ListPetsQuery): Promise<PetPage> {
    if (query.id !== undefined) return { pets: await this.listById(query, query.id) };
    const { limit = listLimits.default, order = 'asc', status, after } = query;
    const walk = { status, order };
    const found = await this.pets.page({ ...walk, afterId: placeOf(walk, after), take: limit + 1 });
    const pets = found.slice(0, limit);
    const last = pets.at(-1);
    return found.length > limit && last ? { pets, next: encodeCursor(walk, last.id) } : { pets };
  }

  /** How many animals a list has on all its pages together. */
  async count({ status, id }: ListPetsQuery): Promise<number> {
    return id === undefined ? this.pets.count(status) : (await this.listById({ ...(status && { status }) }, id)).length;
  }

  async get(id: bigint): Promise<Pet> {
    const pet = await this.pets.find(id);
    if (!pet) throw new PetNotFound();
    return pet;
  }

  /** `replayed`: the animal was added by an earlier request with the same idempotency key. */
  async create(newPet: NewPet, idempotency?: Idempotency): Promise<{ pet: Pet; replayed: boolean }> {
    const { name, categoryId, status = defaultPetStatus } = newPet;
    const complete = { name, categoryId, status };
    if (!idempotency) return { pet: await this.pets.create(complete), replayed: false };
    return this.createOnce(complete, { ...idempotency, fingerprint: fingerprintOf(complete) });
  }

  private async listById({ status, after, limit, order }: ListPetsQuery, id: bigint): Promise<Pet[]> {
    const paging = Object.entries({ after, limit, order }).find(([, value]) => value !== undefined);
    if (paging) throw new IdExcludesPaging(paging[0]);
    const pet = await this.pets.find(id);
    return pet && (status === undefined || pet.status === status) ? [pet] : [];
  }

  private async createOnce(newPet: Required<NewPet>, claim: IdempotencyClaim): Promise<{ pet: Pet; replayed: boolean }> {
    // Twice, because the record that is in the way may be too old to count, and then makes room.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const pet = await this.pets.createOnce(newPet, claim);
      if (pet) return { pet, replayed: false };
      const record = await this.pets.findRecord(claim);
      if (record && !this.isExpired(record)) return { pet: replay(record, claim), replayed: true };
      if (record) await this.pets.deleteRecord(claim, record.createdAt);
    }
    throw new IdempotencyKeyInUse();
  }

  private isExpired({ createdAt }: IdempotencyRecord): boolean {
    return this.clock.now().getTime() - createdAt.getTime() >= retentionMs;
  }
}

function placeOf(walk: Walk, after: string | undefined): bigint | undefined {
  if (after === undefined) return undefined;
  const place = decodeCursor(walk, after);
  if (place === undefined) throw new InvalidCursor();
  return place;
}

function replay({ fingerprint, pet }: IdempotencyRecord, claim: IdempotencyClaim): Pet {
  if (!Buffer.from(fingerprint).equals(claim.fingerprint)) throw new IdempotencyKeyReused();
  return pet;
}

/** Of the animal, not of its text: an omitted status equals the default, and 1.0 equals 1. */
function fingerprintOf({ name, categoryId, status }: Required<NewPet>): Uint8Array<ArrayBuffer> {
  const text = JSON.stringify([name, categoryId.toString(), status]);
  return new Uint8Array(createHash('sha256').update(text).digest());
}
