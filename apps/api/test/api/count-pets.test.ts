import { petStatuses } from '@petstore/contracts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PetCounts, type Recount } from '../../src/features/pets/pet-counts.js';
import { Api } from '../support/api.js';
import { withPrisma } from '../../src/platform/database/prisma.service.js';
import { addPet } from '../support/pets.js';
import { countLockWaits, hold } from '../support/scratch-database.js';
import { startOn, startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let second: TestApp;
beforeAll(async () => {
  service = await startTestApp();
  second = await startOn(service.databaseUrl);
});
afterAll(async () => {
  await second.close();
  await service.close();
});
beforeEach(async () => {
  await service.sql('TRUNCATE pet CASCADE');
});

/** The totals that the list returns: of all pets and of each status. */
async function totals(): Promise<Record<string, number>> {
  const filters = [undefined, ...petStatuses];
  const counted = filters.map(async (status) => {
    const query = status === undefined ? '' : `&status=${status}`;
    const { headers } = await second.api.get(`/v1/pets?limit=1${query}`, { prefer: 'count=exact' });
    return [status ?? 'all', Number(headers.get('x-total-count'))] as const;
  });
  return Object.fromEntries(await Promise.all(counted));
}

/** The same totals from counting all rows. */
async function truth(): Promise<Record<string, number>> {
  const [row] = await service.sql(`
    SELECT count(*)::int AS all, ${petStatuses.map((status) => `count(*) FILTER (WHERE status = '${status}')::int AS ${status}`).join(', ')}
    FROM pet`);
  return row as Record<string, number>;
}

async function transaction(statements: string[], end: 'COMMIT' | 'ROLLBACK'): Promise<void> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    for (const statement of ['BEGIN', ...statements, end]) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Members of pg's connection that its types lack. */
type CopyConnection = pg.Connection & { sendCopyFromChunk: (chunk: Buffer) => void; endCopyFrom: () => void };

/** Loads rows by COPY, as psql and pg_restore do. */
async function copyIn(table: string, rows: string): Promise<void> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    await new Promise<void>((resolve, reject) => {
      client.query({
        submit: (connection: pg.Connection) => connection.query(`COPY ${table} FROM STDIN`),
        handleCopyInResponse: (connection: CopyConnection) => {
          connection.sendCopyFromChunk(Buffer.from(rows));
          connection.endCopyFrom();
        },
        handleCommandComplete: () => undefined,
        handleReadyForQuery: () => resolve(),
        handleError: reject,
      });
    });
  } finally {
    await client.end();
  }
}

function recount(): Promise<Recount[]> {
  return service.app.get(PetCounts).recount();
}

const insert = (count: number, status = 'available') =>
  `INSERT INTO pet (name, category_id, status) SELECT 'Rex', 1, '${status}' FROM generate_series(1, ${count})`;

describe('The total of a list', () => {
  it('is exact after creates on two processes and transactions that commit, roll back or update', async () => {
    const apis = [service.api, new Api(second.url, service.key)];
    const creates = Array.from({ length: 200 }, (_, number) =>
      addPet(apis[number % 2] as Api, { status: petStatuses[number % 3] }),
    );
    const others = Array.from({ length: 20 }, (_, number) =>
      transaction(
        [
          insert(number, 'sold'),
          `UPDATE pet SET status = 'pending' WHERE id % 7 = ${number % 7} AND status = 'sold' AND xmin::text = txid_current()::text`,
        ],
        number % 2 === 0 ? 'COMMIT' : 'ROLLBACK',
      ),
    );
    await Promise.all([...creates, ...others]);

    const counted = await totals();
    expect(counted).toEqual(await truth());
    expect(counted['all']).toBe(200 + 90);
  });

  it('counts a retried create once, also in a batch with other creates', async () => {
    const keys = Array.from({ length: 60 }, (_, number) => (number % 3 === 0 ? undefined : `key-${number % 20}`));
    const responses = await Promise.all(
      keys.map((key) =>
        service.api.post(
          '/v1/pets',
          { name: 'Rex', categoryId: 7 },
          key === undefined ? {} : { 'idempotency-key': key },
        ),
      ),
    );

    expect(responses.map(({ status }) => status)).toEqual(keys.map(() => 201));
    expect(await totals()).toEqual({ all: 40, available: 40, pending: 0, sold: 0 });
    expect((await truth())['all']).toBe(40);
  });

  it('counts the status that a row trigger of the operator sets', async () => {
    await service.sql(`
      CREATE FUNCTION set_status() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.status := 'pending'; RETURN NEW; END $$;
      CREATE TRIGGER set_status BEFORE INSERT ON pet FOR EACH ROW EXECUTE FUNCTION set_status()`);
    await addPet(service.api);
    await Promise.all(Array.from({ length: 20 }, () => addPet(service.api, { status: 'sold' })));
    const counted = await totals();
    await service.sql('DROP FUNCTION set_status CASCADE');

    expect(counted).toEqual({ all: 21, available: 0, pending: 21, sold: 0 });
  });

  it('ignores the inserts of a connection that is terminated before it commits', async () => {
    const client = new pg.Client({ connectionString: service.databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await client.query('BEGIN');
    await client.query(insert(50));
    await service.sql(insert(3));
    await service.sql(`SELECT pg_terminate_backend(${rows[0]?.pid}, 5000)`);
    await client.end().catch(() => undefined);

    expect((await totals())['all']).toBe(3);
  });

  it.each([
    ['a delete', 'DELETE FROM pet WHERE id % 2 = 0'],
    ['a change of status', `UPDATE pet SET status = 'sold' WHERE id % 3 = 0`],
    ['a change of another column', `UPDATE pet SET name = 'Bella'`],
    ['TRUNCATE', 'TRUNCATE pet CASCADE'],
    ['an insert of no rows', insert(0)],
  ])('is exact after %s', async (_, statement) => {
    await service.sql(insert(30));
    await service.sql(insert(12, 'pending'));
    await service.sql(statement);

    expect(await totals()).toEqual(await truth());
  });

  it('counts pets that COPY adds', async () => {
    await service.sql(insert(4));
    await copyIn('pet (name, category_id, status)', 'Rex\t1\tsold\nBella\t2\tsold\n');

    expect(await totals()).toEqual({ all: 6, available: 4, pending: 0, sold: 2 });
  });

  it('is doubled by a restore of data only, until a recount corrects it', async () => {
    await service.sql(insert(4));
    const saved = await service.sql('SELECT id, status, pets FROM pet_count');
    await service.sql('TRUNCATE pet CASCADE');
    await copyIn('pet (name, category_id, status)', 'Rex\t1\tavailable\n'.repeat(4));
    await copyIn('pet_count', saved.map((row) => `${String(row['id'])}\tavailable\t${String(row['pets'])}\n`).join(''));
    expect((await totals())['all']).toBe(8);
    await recount();

    expect(await totals()).toEqual({ all: 4, available: 4, pending: 0, sold: 0 });
  });

  it('counts pets from a session with an empty search path, as pg_restore sets it', async () => {
    const elsewhere = insert(3, 'sold')
      .replaceAll('pet (', 'public.pet (')
      .replace(`'sold'`, `'sold'::public."PetStatus"`);
    await transaction([`SET LOCAL search_path = ''`, elsewhere, 'DELETE FROM public.pet WHERE id % 3 = 0'], 'COMMIT');

    expect(await totals()).toEqual({ all: 2, available: 0, pending: 0, sold: 2 });
  });

  it('is corrected by a recount after a load with triggers disabled, and kept when it is right', async () => {
    await service.sql(insert(5));
    await transaction(['SET LOCAL session_replication_role = replica', insert(7), insert(2, 'sold')], 'COMMIT');

    expect(await recount()).toEqual([
      { status: 'available', before: 5n, actual: 12n },
      { status: 'sold', before: 0n, actual: 2n },
    ]);
    expect(await recount()).toEqual([
      { status: 'available', before: 12n, actual: 12n },
      { status: 'sold', before: 2n, actual: 2n },
    ]);
    expect(await totals()).toEqual({ all: 14, available: 12, pending: 0, sold: 2 });
  });

  it('is corrected once by two recounts at the same time', async () => {
    await service.sql(insert(5));
    await service.sql('TRUNCATE pet_count');
    await service.sql(`
      CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END $$;
      CREATE TRIGGER wait BEFORE INSERT ON pet_count EXECUTE FUNCTION wait()`);
    const held = await hold(service.databaseUrl, 'SELECT pg_advisory_xact_lock(1)');
    const patient = { url: service.databaseUrl, statementTimeoutMs: 60_000 };
    const counted = [1, 2].map(() => withPrisma(patient, (prisma) => new PetCounts(prisma).recount()));
    await expect.poll(() => countLockWaits(service.databaseUrl)).toBe(2);
    await held.end();
    const before = (await Promise.all(counted)).map(([available]) => available?.before);
    await service.sql('DROP FUNCTION wait CASCADE');

    expect(new Set(before)).toEqual(new Set([0n, 5n]));
    expect(await totals()).toEqual({ all: 5, available: 5, pending: 0, sold: 0 });
  });
});
