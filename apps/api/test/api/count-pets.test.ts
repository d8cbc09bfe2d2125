import { petStatuses } from '@petstore/contracts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PetsRepository } from '../../src/features/pets/pets.repository.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { Api } from '../support/api.js';
import { addPet } from '../support/pets.js';
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
  await service.sql('TRUNCATE pet_count');
});

/** The totals that lists give, without a filter and by each status. */
async function totals(): Promise<Record<string, number>> {
  const filters = [undefined, ...petStatuses];
  const counted = filters.map(async (status) => {
    const query = status === undefined ? '' : `&status=${status}`;
    const { headers } = await second.api.get(`/v1/pets?limit=1${query}`, { prefer: 'count=exact' });
    return [status ?? 'all', Number(headers.get('x-total-count'))] as const;
  });
  return Object.fromEntries(await Promise.all(counted));
}

/** The same, by looking at every animal. */
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

/** What pg's connection has beyond its types. */
type CopyConnection = pg.Connection & { sendCopyFromChunk: (chunk: Buffer) => void; endCopyFrom: () => void };

/** Copies rows in as psql and pg_restore do. */
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

const insert = (count: number, status = 'available') =>
  `INSERT INTO pet (name, category_id, status) SELECT 'Rex', 1, '${status}' FROM generate_series(1, ${count})`;

describe('The total of a list', () => {
  it('is exact after creates on two processes beside transactions that commit, roll back or change what is there', async () => {
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

  it('counts once what is asked for again with its key, beside others in one statement', async () => {
    const keys = Array.from({ length: 60 }, (_, number) => (number % 3 === 0 ? undefined : `key-${number % 20}`));
    const answers = await Promise.all(
      keys.map((key) =>
        service.api.post(
          '/v1/pets',
          { name: 'Rex', categoryId: 7 },
          key === undefined ? {} : { 'idempotency-key': key },
        ),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 201));
    expect(await totals()).toEqual({ all: 40, available: 40, pending: 0, sold: 0 });
    expect((await truth())['all']).toBe(40);
  });

  it('lets triggers per row that somebody adds go off for creates too', async () => {
    await service.sql(`
      CREATE TABLE noted (id bigint);
      CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO noted VALUES (NEW.id); RETURN NULL; END';
      CREATE TRIGGER note AFTER INSERT ON pet FOR EACH ROW EXECUTE FUNCTION note()`);
    await Promise.all([addPet(service.api), addPet(service.api), addPet(service.api)]);
    const noted = await service.sql('SELECT id FROM noted ORDER BY id');
    const there = await service.sql('SELECT id FROM pet ORDER BY id');
    await service.sql('DROP TABLE noted; DROP FUNCTION note CASCADE');

    expect(noted).toHaveLength(3);
    expect(noted).toEqual(there);
  });

  it('counts what a trigger per row has made of the creates of the service', async () => {
    await service.sql(`
      CREATE FUNCTION judge() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.status := 'pending'; RETURN NEW; END $$;
      CREATE TRIGGER judge BEFORE INSERT ON pet FOR EACH ROW EXECUTE FUNCTION judge()`);
    await addPet(service.api);
    await Promise.all(Array.from({ length: 20 }, () => addPet(service.api, { status: 'sold' })));
    const counted = await totals();
    await service.sql('DROP FUNCTION judge CASCADE');

    expect(counted).toEqual({ all: 21, available: 0, pending: 21, sold: 0 });
  });

  it('counts what connections had written that were cut off before they committed for nothing', async () => {
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
    ['a change of anything else', `UPDATE pet SET name = 'Bella'`],
    ['TRUNCATE', 'TRUNCATE pet CASCADE'],
    ['an insert of nothing', insert(0)],
  ])('is exact after %s', async (_, statement) => {
    await service.sql(insert(30));
    await service.sql(insert(12, 'pending'));
    await service.sql(statement);

    expect(await totals()).toEqual(await truth());
  });

  it('counts what COPY brings, and makes up for the rows of counts that a restore of data alone brings with it', async () => {
    await service.sql(insert(4));
    await copyIn('pet (name, category_id, status)', 'Rex\t1\tsold\nBella\t2\tsold\n');
    await copyIn('pet_count', 'sold\t2\navailable\t4\n');

    expect(await totals()).toEqual({ all: 6, available: 4, pending: 0, sold: 2 });
  });

  it('counts what comes from a session with another search path, as a restore has it', async () => {
    const elsewhere = insert(3, 'sold')
      .replaceAll('pet (', 'public.pet (')
      .replace(`'sold'`, `'sold'::public."PetStatus"`);
    await transaction([`SET LOCAL search_path = ''`, elsewhere, 'DELETE FROM public.pet WHERE id % 3 = 0'], 'COMMIT');

    expect(await totals()).toEqual({ all: 2, available: 0, pending: 0, sold: 2 });
  });

  it('is corrected by a recount when the triggers were off, and left as it is when it was right', async () => {
    await service.sql(insert(5));
    await transaction(['SET LOCAL session_replication_role = replica', insert(7), insert(2, 'sold')], 'COMMIT');
    const prisma = new PrismaService({ url: service.databaseUrl, poolMax: 1, statementTimeoutMs: 5000 });
    const repository = new PetsRepository(prisma);
    const recounts = [await repository.recount(), await repository.recount()];
    await prisma.$disconnect();

    expect(recounts).toEqual([
      [
        { status: 'available', kept: 5n, counted: 12n },
        { status: 'sold', kept: 0n, counted: 2n },
      ],
      [
        { status: 'available', kept: 12n, counted: 12n },
        { status: 'sold', kept: 2n, counted: 2n },
      ],
    ]);
    expect(await totals()).toEqual({ all: 14, available: 12, pending: 0, sold: 2 });
  });
});
