import { int64, type ListOrder, listOrders, type PetFilter, petStatuses } from '@petstore/contracts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PetListRepository } from '../../src/features/pets/pet-list.repository.js';
import type { Prisma } from '../../src/platform/database/generated/client.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { useDatabase } from '../support/scratch-database.js';

const size = 20;
const allPets = 50_000;

const database = useDatabase();
let client: pg.Client;
let lists: PetListRepository;
beforeAll(async () => {
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // Sold pets are rare and old: without the index, a list of them reads nearly every pet.
  // One name in 5,000 is rare, and not Latin. The categories 1,000 and 1,001 are old.
  await client.query(`INSERT INTO pet (name, category_id, status)
    SELECT CASE WHEN n % 5000 = 0 THEN 'Xylophon Мурка ' ELSE 'Rex of ' END || n,
    CASE WHEN n <= 5000 THEN 1000 + n % 2 ELSE n % 500 END,
    (CASE WHEN n < 1000 AND n % 10 = 0 THEN 'sold' WHEN n % 3 = 0 THEN 'pending' ELSE 'available' END)::"PetStatus"
    FROM generate_series(1, ${allPets}) n`);
  // A sample of all rows: PostgreSQL plans the same in each run.
  await client.query('SET default_statistics_target = 1000');
  await client.query('ANALYZE pet');
  // The service uses generic plans for lists. It plans searches and counts for their values.
  await client.query('SET plan_cache_mode = force_generic_plan');
  const prisma = {
    $executeRaw: ([text = '']: TemplateStringsArray) => client.query(text),
    $queryRaw: async ({ text, values }: Prisma.Sql) => (await client.query<object>(text, values)).rows,
    $transaction: (statements: Promise<unknown>[]) => Promise.all(statements),
  };
  lists = new PetListRepository(client as never, prisma as never, new Metrics());
});
afterAll(() => client.end());

/** Expects that no statement scans all pets, and that they read at most this number of entries in the indexes of pets. */
async function expectReads(run: () => Promise<unknown>, maxEntries: number): Promise<void> {
  // The counts are those of this transaction.
  await client.query('SELECT pg_stat_force_next_flush()');
  await client.query('BEGIN');
  await run();
  const { rows } = await client.query<{ scans: number; entries: number }>(
    `SELECT pg_stat_get_xact_numscans('pet'::regclass)::int AS scans,
       sum(pg_stat_get_xact_tuples_returned(indexrelid))::int AS entries
     FROM pg_index WHERE indrelid = 'pet'::regclass`,
  );
  await client.query('ROLLBACK');
  expect(rows[0]?.scans, 'scans of all pets').toBe(0);
  expect(rows[0]?.entries, 'entries of indexes').toBeLessThanOrEqual(maxEntries);
}

/** The start of the first page. */
const startOf = (order: ListOrder) => (order === 'asc' ? int64.min : int64.max);

const search = (filter: PetFilter, order: ListOrder) => lists.list({ filter, order, startId: startOf(order), size }, 1);

const inBothOrders = <Query>(queries: Query[]) =>
  listOrders.flatMap((order) => queries.map((query) => ({ ...query, order })));

const pages = [undefined, ...petStatuses].flatMap((status) =>
  [undefined, 1n, 25_000n, 49_990n].flatMap((startId) => [1, 3].map((requests) => ({ status, startId, requests }))),
);
it.each(inBothOrders(pages))(
  'GET /v1/pets reads a range of an index at any depth: $status, $order, from id $startId, $requests requests',
  async ({ status, order, startId = startOf(order), requests }) => {
    // They share a batch. Equal requests would be one.
    const queries = Array.from({ length: requests }, (_, index) => ({
      filter: { ...(status && { status }) },
      order,
      startId,
      size: size - index,
    }));
    // Each page, and the pet after it.
    await expectReads(() => Promise.all(queries.map((query) => lists.list(query, 1))), requests * (size + 1));
  },
);

describe('GET /v1/pets with words or categories', () => {
  // A new filter does not compile until it is here.
  const searches: Record<keyof PetFilter, PetFilter[]> = {
    q: ['rex', 'xylophon', 'мурка', 'absent', 'zz'].map((q) => ({ q })),
    status: [{ q: 'rex', status: 'sold' }],
    categoryId: [
      { q: 'rex', categoryId: [1000n] },
      { q: 'xylophon', categoryId: [7n, 9n] },
    ],
  };
  it.each(inBothOrders(Object.values(searches).flat()))('reads an index: %o', async ({ order, ...filter }) => {
    await expectReads(() => search(filter, order), allPets - 1);
  });

  // Many names have a word that begins with 4, one has 49999, and none has the other number.
  const byNumber = ['987654321', '49999'].flatMap((q): PetFilter[] => [
    { q },
    { q, status: 'sold' },
    { q, categoryId: [1000n] },
    { q, categoryId: [7n, 9n], status: 'available' },
  ]);
  it.each(inBothOrders([...byNumber, { q: '4' }]))(
    'finds an animal by its number without a scan of the others: %o',
    async ({ order, ...filter }) => {
      await expectReads(() => search(filter, order), 1000);
      await expectReads(() => lists.count(filter, 1), allPets / 2);
    },
  );

  // The primary key would lead past all animals of other categories: of a new or an old one, past nearly all animals.
  // No two of these categories that are read in full have more than 2,600 of them.
  it.each(
    inBothOrders([
      { categoryId: [7n] },
      { categoryId: [7n, 1000n], status: 'available' as const },
      { categoryId: [1000n] },
      { categoryId: [100_000n], status: 'sold' as const },
      { categoryId: Array.from({ length: 20 }, (_, index) => BigInt(990 + index)) },
    ]),
  )('reads a range of the index for each category and status: %o', async ({ order, ...filter }) => {
    await expectReads(() => search(filter, order), 2600);
  });
});
