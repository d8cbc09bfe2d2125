import { Injectable } from '@nestjs/common';
import { idempotencyRetentionHours, type NewPet, type PetStatus } from '@petstore/contracts';
import { Batches } from '../../platform/batches.js';
import { retryRead } from '../../platform/database/database-error.js';
import { pruneLock } from '../../platform/database/locks.js';
import { DatabasePool } from '../../platform/database/pool.js';
import { Metrics } from '../../platform/metrics/metrics.js';

export interface FoundPet {
  status: PetStatus;
  /** The pet as a JSON object. */
  json: string;
}

/** The `Idempotency-Key` of a create. It belongs to the API key. */
export interface Idempotency {
  apiKeyId: number;
  key: string;
}

export interface PetInsert {
  newPet: NewPet;
  idempotency: Idempotency | undefined;
}

export interface CreatedPet {
  id: bigint;
  /** The pet as a JSON object. */
  json: string;
}

/**
 * The SQL of the JSON of a pet. `json_agg` takes half as long again for a page of 20, and `format` 15 % longer. The text of an
 * integer is its JSON. A member that can be NULL is `coalesce(',"tag":' || to_json(tag)::text, '')`.
 */
export const petJson = `'{"id":' || id || ',"name":' || to_json(name)::text || ',"categoryId":' || category_id || ',"status":"' || status || '"}'`;

const get = `SELECT id, status, ${petJson} FROM pet WHERE id = ANY ($1)`;

/**
 * Creates pets, each with its idempotency record if it has one. Returns the id and the JSON of each pet, in the order of the
 * values. If an idempotency key is taken, its pet is not created and both are NULL. Values: the names, categories and statuses,
 * then the API key ids and idempotency keys, or NULLs.
 *
 * An expired record is replaced. The clock of the database decides: a clock that jumps must not repeat a create. Records are
 * inserted in the order of their keys, so that two processes cannot deadlock. PostgreSQL cannot insert one of them twice.
 */
const create = `
  WITH request AS MATERIALIZED (
    SELECT nextval('pet_id_seq') AS id, value.*
    FROM unnest($1::text[], $2::bigint[], $3::"PetStatus"[], $4::int[], $5::text[])
      WITH ORDINALITY AS value(name, category_id, status, api_key_id, key, position)
  ), claimed AS (
    INSERT INTO idempotency_record (api_key_id, key, pet_id)
    SELECT DISTINCT ON (api_key_id, key) api_key_id, key, id
    FROM request WHERE key IS NOT NULL ORDER BY api_key_id, key
    ON CONFLICT (api_key_id, key) DO UPDATE
      SET (pet_id, created_at) = (excluded.pet_id, now())
      WHERE idempotency_record.created_at <= now() - interval '${idempotencyRetentionHours} hours'
    RETURNING pet_id
  ), created AS (
    INSERT INTO pet (id, name, category_id, status)
    SELECT id, name, category_id, status
    FROM request WHERE key IS NULL OR id IN (SELECT pet_id FROM claimed)
    RETURNING id, ${petJson} AS json
  )
  SELECT created.id, created.json FROM request LEFT JOIN created ON created.id = request.id ORDER BY request.position`;

/** Returns the pet of an idempotency record, expired or not. Values: the API key id and the idempotency key. */
const getByIdempotencyKey = `
  SELECT id, ${petJson} FROM idempotency_record JOIN pet ON id = pet_id WHERE api_key_id = $1 AND key = $2`;

const isExpired = `created_at <= now() - interval '${idempotencyRetentionHours} hours'`;

/** Deletes nothing while another process prunes, and no record that a create has just replaced. Value: the maximum number. */
const deleteExpiredRecords = `
  WITH lock AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${pruneLock}) AS acquired),
  expired AS (
    SELECT api_key_id, key FROM idempotency_record
    WHERE ${isExpired} AND (SELECT acquired FROM lock) ORDER BY created_at LIMIT $1
  )
  DELETE FROM idempotency_record AS record USING expired
  WHERE record.api_key_id = expired.api_key_id AND record.key = expired.key AND ${isExpired}`;

/** Each is prepared once per connection, under its name. A test checks that they cover every column. */
export const statements = { get, create, getByIdempotencyKey };

/**
 * The animals and their idempotency records. Literal SQL on the pool, because gets and creates must be fast (docs/design.md).
 * Lists: pet-list.repository.ts.
 */
@Injectable()
export class PetsRepository {
  private readonly gets: Batches<bigint, FoundPet | undefined>;
  private readonly creates: Batches<PetInsert, CreatedPet | undefined>;

  constructor(
    private readonly pool: DatabasePool,
    metrics: Metrics,
  ) {
    this.gets = new Batches(metrics, 'get', { run: (ids) => this.getBatch(ids), keyOf: (id) => id });
    this.creates = new Batches(metrics, 'create', { run: (inserts) => this.createBatch(inserts), isWrite: true });
  }

  /** Resolves to `undefined` if no pet has the id. */
  get(id: bigint): Promise<FoundPet | undefined> {
    return this.gets.submit(id);
  }

  private async getBatch(ids: readonly bigint[]): Promise<(FoundPet | undefined)[]> {
    const rows = await retryRead(() => this.query<[id: string, status: PetStatus, json: string]>('get', [ids]));
    const found = new Map(rows.map(([id, status, json]) => [id, { status, json }]));
    return ids.map((id) => found.get(String(id)));
  }

  /** Resolves to `undefined` if the pet was not created because its idempotency key is taken. */
  create(insert: PetInsert): Promise<CreatedPet | undefined> {
    return this.creates.submit(insert);
  }

  private async createBatch(inserts: readonly PetInsert[]): Promise<(CreatedPet | undefined)[]> {
    const newPets = inserts.map(({ newPet }) => newPet);
    const keys = inserts.map(({ idempotency }) => idempotency);
    const rows = await this.query<[id: string, json: string] | [null, null]>('create', [
      newPets.map(({ name }) => name),
      newPets.map(({ categoryId }) => categoryId),
      newPets.map(({ status }) => status),
      keys.map((key) => key?.apiKeyId),
      keys.map((key) => key?.key),
    ]);
    return rows.map(([id, json]) => (id === null ? undefined : { id: BigInt(id), json }));
  }

  /** The pet that an earlier create with this idempotency key added. */
  async getByIdempotencyKey({ apiKeyId, key }: Idempotency): Promise<CreatedPet | undefined> {
    const values = [apiKeyId, key];
    const [row] = await retryRead(() => this.query<[id: string, json: string]>('getByIdempotencyKey', values));
    return row && { id: BigInt(row[0]), json: row[1] };
  }

  /** Deletes expired idempotency records, the oldest first. Returns their number. */
  async deleteExpiredRecords(max: number): Promise<number> {
    return (await this.pool.query(deleteExpiredRecords, [max])).rowCount ?? 0;
  }

  private async query<Row extends unknown[]>(name: keyof typeof statements, values: unknown[]): Promise<Row[]> {
    const { rows } = await this.pool.query<Row>({ name, text: statements[name], values, rowMode: 'array' });
    return rows;
  }
}
