import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import type { Options } from '../options.js';
import type { Log } from '../standard/setup.js';
import { type Context, type ServiceTarget, startService } from '../targets/start-targets.js';
import { authorization } from '../targets/target.js';

/** Bytes that the animals take. */
interface Sizes {
  readonly table: number;
  readonly primaryKey: number;
  readonly statusIndex: number;
  readonly idempotencyRecords: number;
  /** Written since the server was created. */
  readonly wal: number;
}

/** Bytes per animal. */
interface StorageRow extends Sizes {
  readonly creates: string;
}

export interface StorageReport {
  /** The number of animals of each row. */
  readonly animals: number;
  readonly rows: readonly StorageRow[];
}

const clients = 64;

const sizesSql = `
  SELECT pg_table_size('pet')::float8 AS "table", pg_relation_size('pet_pkey')::float8 AS "primaryKey",
    pg_relation_size('pet_status_id_idx')::float8 AS "statusIndex",
    pg_total_relation_size('idempotency_record')::float8 AS "idempotencyRecords",
    (pg_current_wal_insert_lsn() - '0/0')::float8 AS wal`;

/** Creates animals over HTTP, and measures what PostgreSQL stores and writes for each. */
export async function runStorage(context: Context, options: Options, log: Log): Promise<StorageReport> {
  const [animals = 0] = options.animals;
  const service = await startService(context, 'storage');
  const rows: StorageRow[] = [];
  for (const creates of ['without a key', 'with an Idempotency-Key']) {
    log(`Creating ${animals.toLocaleString('en')} animals ${creates}.`);
    const headers = () => (creates === 'without a key' ? {} : { 'idempotency-key': randomUUID() });
    // Each page that changes for the first time after a checkpoint is written to the WAL as a whole.
    await service.database.query('CHECKPOINT');
    const before = await readSizes(service.database);
    await createAnimals(service, animals, headers);
    rows.push({ creates, ...growth(before, await readSizes(service.database), animals) });
  }
  return { animals, rows };
}

/** @throws Error if a create fails. */
async function createAnimals({ server }: ServiceTarget, animals: number, headers: () => Record<string, string>) {
  let created = 0;
  const create = async () => {
    while (created < animals) {
      const body = JSON.stringify({ name: `Guinea pig ${(created += 1)}`, categoryId: created % 500 });
      const all = { ...authorization, 'content-type': 'application/json', ...headers() };
      const response = await fetch(`http://127.0.0.1:${server.port}/v1/pets`, { method: 'POST', headers: all, body });
      const text = await response.text();
      if (response.status !== 201) throw new Error(`service: a create returned ${response.status}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, create));
}

async function readSizes(database: Client): Promise<Sizes> {
  const { rows } = await database.query<Sizes>(sizesSql);
  if (!rows[0]) throw new Error('PostgreSQL returned no sizes.');
  return rows[0];
}

function growth(before: Sizes, after: Sizes, animals: number): Sizes {
  const perAnimal = (part: keyof Sizes) => (after[part] - before[part]) / animals;
  return {
    table: perAnimal('table'),
    primaryKey: perAnimal('primaryKey'),
    statusIndex: perAnimal('statusIndex'),
    idempotencyRecords: perAnimal('idempotencyRecords'),
    wal: perAnimal('wal'),
  };
}
