import { Injectable } from '@nestjs/common';
import { int64, type ListOrder, type NewPet, type PetStatus } from '@petstore/contracts';
import { retryRead } from '../../platform/database/database-error.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { IdempotencyClaim } from './idempotency.js';

export interface PageQuery {
  order: ListOrder;
  status: PetStatus | undefined;
  /** The page starts with this id or the next one in its order; `undefined` is the first page. */
  firstId: bigint | undefined;
  size: number;
}

export interface PageResult {
  /** The pets as a JSON array. */
  json: string;
  /** The id of the last pet, if more pets follow. */
  lastId: bigint | undefined;
}

export interface PetQuery {
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

/*
 * One statement serves a batch: most take arrays with one element per request, and return one row per request in the same
 * order. PostgreSQL writes the JSON: `json_agg` would take it half as long again for a page of 20. The text of an integer is
 * its JSON. A member that can be NULL is one `%s`, for `',"tag":' || to_json(tag)`: `format` writes nothing for NULL.
 *
 * The lists return the id of the last pet of a page if more pets follow, and the JSON array. After an empty page,
 * PostgreSQL 15 would scan the whole range to look for the next pet: `last_id` is NULL then.
 */
const listAsc = `
  SELECT CASE WHEN next.id IS NOT NULL THEN page.last_id END, page.json
  FROM unnest($1::bigint[], $2::int[]) WITH ORDINALITY AS request(first_id, size, position)
  CROSS JOIN LATERAL (
    SELECT max(id) AS last_id, '[' || string_agg(
      format('{"id":%s,"name":%s,"categoryId":%s,"status":"%s"}', id, to_json(name), category_id, status), ','
    ) || ']' AS json
    FROM (
      SELECT id, name, category_id, status FROM pet
      WHERE id >= request.first_id
      ORDER BY id LIMIT request.size
    ) AS pet
  ) AS page
  LEFT JOIN LATERAL (
    SELECT id FROM pet
    WHERE page.last_id IS NOT NULL AND id > page.last_id
    ORDER BY id LIMIT 1
  ) AS next ON true
  ORDER BY request.position`;

const listDesc = `
  SELECT CASE WHEN next.id IS NOT NULL THEN page.last_id END, page.json
  FROM unnest($1::bigint[], $2::int[]) WITH ORDINALITY AS request(first_id, size, position)
  CROSS JOIN LATERAL (
    SELECT min(id) AS last_id, '[' || string_agg(
      format('{"id":%s,"name":%s,"categoryId":%s,"status":"%s"}', id, to_json(name), category_id, status), ','
    ) || ']' AS json
    FROM (
      SELECT id, name, category_id, status FROM pet
      WHERE id <= request.first_id
      ORDER BY id DESC LIMIT request.size
    ) AS pet
  ) AS page
  LEFT JOIN LATERAL (
    SELECT id FROM pet
    WHERE page.last_id IS NOT NULL AND id < page.last_id
    ORDER BY id DESC LIMIT 1
  ) AS next ON true
  ORDER BY request.position`;

/**
 * One status is a range of the index (status, id). With `status =`, PostgreSQL may scan the primary key instead and skip
 * every pet that has another status.
 */
const listAscByStatus = `
  SELECT CASE WHEN next.id IS NOT NULL THEN page.last_id END, page.json
  FROM unnest($1::bigint[], $2::int[], $3::"PetStatus"[]) WITH ORDINALITY AS request(first_id, size, status, position)
  CROSS JOIN LATERAL (
    SELECT max(id) AS last_id, '[' || string_agg(
      format('{"id":%s,"name":%s,"categoryId":%s,"status":"%s"}', id, to_json(name), category_id, status), ','
    ) || ']' AS json
    FROM (
      SELECT id, name, category_id, status FROM pet
      WHERE (status, id) >= (request.status, request.first_id) AND status <= request.status
      ORDER BY status, id LIMIT request.size
    ) AS pet
  ) AS page
  LEFT JOIN LATERAL (
    SELECT id FROM pet
    WHERE page.last_id IS NOT NULL AND (status, id) > (request.status, page.last_id) AND status <= request.status
    ORDER BY status, id LIMIT 1
  ) AS next ON true
  ORDER BY request.position`;

const listDescByStatus = `
  SELECT CASE WHEN next.id IS NOT NULL THEN page.last_id END, page.json
  FROM unnest($1::bigint[], $2::int[], $3::"PetStatus"[]) WITH ORDINALITY AS request(first_id, size, status, position)
  CROSS JOIN LATERAL (
    SELECT min(id) AS last_id, '[' || string_agg(
      format('{"id":%s,"name":%s,"categoryId":%s,"status":"%s"}', id, to_json(name), category_id, status), ','
    ) || ']' AS json
    FROM (
      SELECT id, name, category_id, status FROM pet
      WHERE (status, id) <= (request.status, request.first_id) AND status >= request.status
      ORDER BY status DESC, id DESC LIMIT request.size
    ) AS pet
  ) AS page
  LEFT JOIN LATERAL (
    SELECT id FROM pet
    WHERE page.last_id IS NOT NULL AND (status, id) < (request.status, page.last_id) AND status >= request.status
    ORDER BY status DESC, id DESC LIMIT 1
  ) AS next ON true
  ORDER BY request.position`;

/** Returns the JSON of a pet, or NULL. Values: the ids, and the statuses that the pets must have, or NULL. */
const get = `
  SELECT (
    SELECT format('{"id":%s,"name":%s,"categoryId":%s,"status":"%s"}', id, to_json(name), category_id, status)
    FROM pet WHERE id = pet_id AND (pet_status IS NULL OR status = pet_status)
  )
  FROM unnest($1::bigint[], $2::"PetStatus"[]) WITH ORDINALITY AS request(pet_id, pet_status, position)
  ORDER BY position`;

/**
 * Creates pets, each with its idempotency record if it has one, and returns the id and the JSON of each pet. If an
 * idempotency key is taken, its pet is not created and both are NULL. Values: the names, categories and statuses, then the
 * API key ids, idempotency keys and fingerprints in hex, or NULLs.
 *
 * Records are inserted in the order of their keys, so that two processes cannot deadlock.
 */
const create = `
  WITH request AS MATERIALIZED (
    SELECT nextval('pet_id_seq') AS id, value.*
    FROM unnest($1::text[], $2::bigint[], $3::"PetStatus"[], $4::int[], $5::text[], $6::text[])
      WITH ORDINALITY AS value(name, category_id, status, api_key_id, key, fingerprint, position)
  ), claimed AS (
    INSERT INTO idempotency_record (api_key_id, key, fingerprint, pet_id)
    SELECT api_key_id, key, decode(fingerprint, 'hex'), id
    FROM request WHERE key IS NOT NULL ORDER BY api_key_id, key
    ON CONFLICT DO NOTHING RETURNING pet_id
  ), created AS (
    INSERT INTO pet (id, name, category_id, status)
    SELECT id, name, category_id, status
    FROM request WHERE key IS NULL OR id IN (SELECT pet_id FROM claimed)
    RETURNING id, format('{"id":%s,"name":%s,"categoryId":%s,"status":"%s"}', id, to_json(name), category_id, status) AS json
  )
  SELECT created.id, created.json FROM request LEFT JOIN created ON created.id = request.id ORDER BY request.position`;

/** Each is prepared once per connection, under its name. A test checks that they cover every column. */
export const statements = { listAsc, listDesc, listAscByStatus, listDescByStatus, get, create };

export type ListStatement = 'listAsc' | 'listDesc' | 'listAscByStatus' | 'listDescByStatus';

/** The statement that serves a query. */
export function listStatementOf({ order, status }: PageQuery): ListStatement {
  return `list${order === 'asc' ? 'Asc' : 'Desc'}${status === undefined ? '' : 'ByStatus'}`;
}

function firstIdOrBound({ order, firstId }: PageQuery): bigint {
  return firstId ?? (order === 'asc' ? int64.min : int64.max);
}

/** Serves many requests with one statement each. Raw SQL, because Prisma cannot express it (docs/design.md). */
@Injectable()
export class PetsRepository {
  constructor(private readonly prisma: PrismaService) {}

  /** All queries are those of one statement. */
  async list(statement: ListStatement, queries: readonly PageQuery[]): Promise<PageResult[]> {
    const values: unknown[][] = [queries.map(firstIdOrBound), queries.map(({ size }) => size)];
    if (statement.endsWith('ByStatus')) values.push(queries.map(({ status }) => status));
    const rows = await retryRead(() => this.run<[string | null, string | null]>(statement, values));
    return rows.map(([lastId, json]) => ({ json: json ?? '[]', lastId: lastId === null ? undefined : BigInt(lastId) }));
  }

  /** Resolves to JSON objects, `undefined` for each pet that does not exist. */
  async get(queries: readonly PetQuery[]): Promise<(string | undefined)[]> {
    const values = [queries.map(({ id }) => id), queries.map(({ status }) => status)];
    const rows = await retryRead(() => this.run<[string | null]>('get', values));
    return rows.map(([json]) => json ?? undefined);
  }

  /** Resolves to `undefined` for each pet that was not created because its idempotency key is taken. */
  async create(inserts: readonly PetInsert[]): Promise<(CreatedPet | undefined)[]> {
    const newPets = inserts.map(({ newPet }) => newPet);
    const claims = inserts.map(({ claim }) => claim);
    const rows = await this.run<[string, string] | [null, null]>('create', [
      newPets.map(({ name }) => name),
      newPets.map(({ categoryId }) => categoryId),
      newPets.map(({ status }) => status),
      claims.map((claim) => claim?.apiKeyId),
      claims.map((claim) => claim?.key),
      claims.map((claim) => claim?.fingerprint.toString('hex')),
    ]);
    return rows.map(([id, json]) => (id === null ? undefined : { id: BigInt(id), json }));
  }

  private async run<Row extends unknown[]>(name: keyof typeof statements, values: unknown[][]): Promise<Row[]> {
    const { rows } = await this.prisma.pool.query<Row>({ name, text: statements[name], values, rowMode: 'array' });
    return rows;
  }
}
