import { crc32 } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import {
  defaultPetStatus,
  int64,
  listLimits,
  type ListPetsQuery,
  type NewPet,
  newPetFields,
  parseJson,
  type Pet,
  stringifyJson,
} from '@petstore/contracts';
import { withTimeout } from '../../platform/time-limit.js';
import { DiskSpace } from '../../platform/disk-space.js';
import { diskFull, DomainError } from '../../platform/errors/domain-error.js';
import { type PageQuery, PetListRepository } from './pet-list.repository.js';
import { type CreatedPet, type Idempotency, type PetInsert, PetsRepository } from './pets.repository.js';

export interface PetPage {
  /** The pets as a JSON array. */
  json: string;
  /** The cursor of the next page, if there is one. */
  next: string | undefined;
  /** The number of pets on all pages; `undefined` if it was not requested, or they are too many (`maxTotalOf`). */
  total: number | undefined;
}

export interface ListOptions {
  apiKeyId: number;
  /** Whether to count the pets on all pages. */
  count: boolean;
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
  async list(query: ListPetsQuery, { apiKeyId, count }: ListOptions): Promise<PetPage> {
    const { id, limit = listLimits.default, order = 'asc', after, ...filter } = query;
    if (id !== undefined) return this.listById(id, query, count);
    const list = { order, filter };
    const [{ json, nextStartId }, total] = await Promise.all([
      this.lists.list({ ...list, startId: startIdOf(list, after), size: limit }, apiKeyId),
      count ? this.lists.count(filter, apiKeyId) : undefined,
    ]);
    return { json, next: nextStartId === undefined ? undefined : encodeCursor(list, nextStartId), total };
  }

  /** `limit` and `order` do not change the result: tools fill in their examples. */
  private async listById(id: bigint, query: ListPetsQuery, count: boolean): Promise<PetPage> {
    const { id: _id, limit: _limit, order: _order, status, ...others } = query;
    const [other] = Object.keys(others);
    if (other !== undefined) {
      const message = `\`id\` cannot be combined with \`${other}\`, only with \`status\`, \`limit\` and \`order\`.`;
      throw new DomainError('invalid_query', message);
    }
    const pet = await this.pets.get(id);
    const found = pet && (status ?? pet.status) === pet.status ? [pet.json] : [];
    return { json: `[${found.join()}]`, next: undefined, total: count ? found.length : undefined };
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
}

/** Whether a create repeats the one that added this pet with its idempotency key. The API never changes a pet. */
function isRetry(newPet: NewPet, stored: Pet): boolean {
  return newPetFields.every((field) => newPet[field] === stored[field]);
}

/** Which pets a list has, and their order. A cursor is valid only for its list. */
type OrderedFilter = Pick<PageQuery, 'filter' | 'order'>;

/**
 * Where the page after a cursor, or the first page, starts.
 * @throws DomainError invalid_cursor if the cursor is malformed or belongs to another list.
 */
function startIdOf(list: OrderedFilter, after: string | undefined): bigint {
  if (after === undefined) return list.order === 'asc' ? int64.min : int64.max;
  const bytes = Buffer.from(after, 'base64url');
  if (bytes.length !== cursorBytes) throw new DomainError('invalid_cursor');
  const startId = bytes.readBigInt64BE();
  if (encodeCursor(list, startId) !== after) throw new DomainError('invalid_cursor');
  return startId;
}

const idBytes = 8;
const cursorBytes = idBytes + 4;

/**
 * Encodes the start of a page as 16 opaque characters (base64url, RFC 4648, section 5). They hold eight bytes for the id, and
 * four for a CRC-32 of it and of the list, which detects mistyped and foreign cursors.
 */
function encodeCursor({ filter, order }: OrderedFilter, startId: bigint): string {
  const bytes = Buffer.alloc(cursorBytes);
  bytes.writeBigInt64BE(startId);
  bytes.writeUInt32BE(crc32(stringifyJson([startId, order, filter])), idBytes);
  return bytes.toString('base64url');
}
