import { crc32 } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import {
  defaultPetStatus,
  int64,
  listLimits,
  type ListOrder,
  type ListPetsQuery,
  type NewPet,
  newPetFields,
  parseJson,
  type Pet,
  type PetFilter,
  type PetStatus,
  stringifyJson,
} from '@petstore/contracts';
import { withTimeout } from '../../platform/time-limit.js';
import { DiskSpace } from '../../platform/disk-space.js';
import { diskFull, DomainError } from '../../platform/errors/domain-error.js';
import { PetListRepository } from './pet-list.repository.js';
import { type CreatedPet, type FoundPet, type Idempotency, type PetInsert, PetsRepository } from './pets.repository.js';

export interface ListResult {
  /** The pets as a JSON array. */
  json: string;
  /** The cursor of the next page, if there is one. */
  next: string | undefined;
}

export interface CreateResult extends CreatedPet {
  /** An earlier request with the same idempotency key created the pet. */
  replayed: boolean;
}

@Injectable()
export class PetsService {
  constructor(
    private readonly pets: PetsRepository,
    private readonly lists: PetListRepository,
    private readonly disk: DiskSpace,
  ) {}

  /** @throws DomainError invalid_query, invalid_cursor */
  async list(query: ListPetsQuery, apiKeyId: number): Promise<ListResult> {
    const { id, limit = listLimits.default, order = 'asc', after, ...filter } = query;
    if (id !== undefined) return { json: await this.listById(query, id), next: undefined };
    const walk = { order, filter };
    const { json, nextBound } = await this.lists.list({ ...walk, bound: boundOf(walk, after), size: limit }, apiKeyId);
    return { json, next: nextBound === undefined ? undefined : encodeCursor(walk, nextBound) };
  }

  /** The number of pets that match the filter, on all pages; `undefined` if they are too many (`maxTotalOf`). */
  async count(
    { id, limit: _limit, order: _order, after: _after, ...filter }: ListPetsQuery,
    apiKeyId: number,
  ): Promise<number | undefined> {
    if (id === undefined) return this.lists.count(filter, apiKeyId);
    return (await this.find(id, filter.status)) ? 1 : 0;
  }

  /**
   * Resolves to the pet as a JSON object.
   * @throws DomainError pet_not_found
   */
  async get(id: bigint): Promise<string> {
    const pet = await this.pets.get(id);
    if (!pet) throw new DomainError('pet_not_found');
    return pet.json;
  }

  /** @throws DomainError service_unavailable, idempotency_key_reused, idempotency_key_in_use */
  async create({ status = defaultPetStatus, ...fields }: NewPet, idempotency?: Idempotency): Promise<CreateResult> {
    if (this.disk.isFull) throw diskFull();
    // A replay runs two statements, which share one timeout.
    return withTimeout(this.insertOrReplay({ newPet: { ...fields, status }, idempotency }));
  }

  private async insertOrReplay({ newPet, idempotency }: PetInsert): Promise<CreateResult> {
    const created = await this.pets.create({ newPet, idempotency });
    if (created) return { ...created, replayed: false };
    const earlier = idempotency && (await this.pets.getByIdempotencyKey(idempotency));
    // The record was pruned meanwhile.
    if (!earlier) throw new DomainError('idempotency_key_in_use', undefined, { retryAfter: 1 });
    if (!isRetry(newPet, parseJson(earlier.json) as Pet)) throw new DomainError('idempotency_key_reused');
    return { ...earlier, replayed: true };
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
    return `[${(await this.find(id, status))?.json ?? ''}]`;
  }

  /** The pet with this id, if it has the status. */
  private async find(id: bigint, status: PetStatus | undefined): Promise<FoundPet | undefined> {
    const pet = await this.pets.get(id);
    return status === undefined || status === pet?.status ? pet : undefined;
  }
}

/** Whether a create with the idempotency key of a stored pet asks for the same one. The API never changes a pet. */
function isRetry(newPet: NewPet, stored: Pet): boolean {
  return newPetFields.every((field) => newPet[field] === stored[field]);
}

/** The filter and order of a walk through the list. A cursor is valid only for its walk. */
interface Walk {
  filter: PetFilter;
  order: ListOrder;
}

/**
 * The bound of the page after a cursor, or of the first page.
 * @throws DomainError invalid_cursor if the cursor is malformed or belongs to another walk.
 */
function boundOf(walk: Walk, after: string | undefined): bigint {
  if (after === undefined) return walk.order === 'asc' ? int64.min : int64.max;
  const bytes = Buffer.from(after, 'base64url');
  if (bytes.length !== cursorBytes) throw new DomainError('invalid_cursor');
  const bound = bytes.readBigInt64BE();
  if (encodeCursor(walk, bound) !== after) throw new DomainError('invalid_cursor');
  return bound;
}

const idBytes = 8;
const cursorBytes = idBytes + 4;

/**
 * Encodes the bound of a page as 16 opaque characters (base64url, RFC 4648, section 5). They hold eight bytes for the bound,
 * and four for a CRC-32 of it and of the walk, which detects mistyped and foreign cursors.
 */
function encodeCursor({ filter, order }: Walk, bound: bigint): string {
  const bytes = Buffer.alloc(cursorBytes);
  bytes.writeBigInt64BE(bound);
  bytes.writeUInt32BE(crc32(stringifyJson([bound, order, filter])), idBytes);
  return bytes.toString('base64url');
}
