import { int64, type ListOrder, listOrders, type PetFilter, petStatuses } from '@petstore/contracts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PageQuery, PetListRepository } from '../../src/features/pets/pet-list.repository.js';
import type { Prisma } from '../../src/platform/database/generated/client.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { useDatabase } from '../support/scratch-database.js';

const size = 20;

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  Filter?: string;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

const database = useDatabase();
let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // Sold pets are rare and old: without the index, a list of them reads nearly every pet.
  // One name in 5,000 is rare, and not Latin. The categories 1,000 and 1,001 are old.
  await client.query(`INSERT INTO pet (name, category_id, status)
    SELECT CASE WHEN n % 5000 = 0 THEN 'Xylophon Мурка ' ELSE 'Rex of ' END || n,
    CASE WHEN n <= 5000 THEN 1000 + n % 2 ELSE n % 500 END,
    (CASE WHEN n < 1000 AND n % 10 = 0 THEN 'sold' WHEN n % 3 = 0 THEN 'pending' ELSE 'available' END)::"PetStatus"
    FROM generate_series(1, 50000) n`);
  // A sample of all rows: PostgreSQL plans the same in each run.
  await client.query('SET default_statistics_target = 1000');
  await client.query('ANALYZE pet');
});
afterAll(() => client.end());

/** A bitmap heap scan reads the rows that a bitmap index scan below it found. The others read no pets. */
const notOfPets = new Set(['Bitmap Heap Scan', 'Function Scan', 'Subquery Scan', 'CTE Scan', 'Values Scan']);

function descendantsOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(descendantsOf)];
}

/** The scans of pets in the plan of a statement. */
async function scansOf(execution: string, values?: unknown[]): Promise<Plan[]> {
  const explained = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${execution}`,
    values,
  );
  const nodes = explained.rows.flatMap((row) => descendantsOf(row['QUERY PLAN'][0].Plan));
  return nodes.filter((node) => node['Node Type'].includes('Scan') && !notOfPets.has(node['Node Type']));
}

/** Expects that the scans read a page of each range, and no other rows. */
function expectRanges(scans: Plan[], index: string, ranges: number): void {
  expect(scans.length).toBeGreaterThan(0);
  for (const scan of scans) {
    expect({ 'Rows Removed by Filter': 0, ...scan }).toMatchObject({
      'Node Type': expect.stringContaining('Index') as string,
      'Index Name': index,
      'Rows Removed by Filter': 0,
    });
  }
  // Each row may be in a different block. The others are the descent of the index, which the depth does not affect.
  const blocks = scans.reduce((sum, scan) => sum + scan['Shared Hit Blocks'] + scan['Shared Read Blocks'], 0);
  expect(blocks).toBeLessThan(ranges * (size + 11));
}

/** Expects that each scan uses an index of the pets. */
function expectIndexed(scans: Plan[]): void {
  expect(scans.length).toBeGreaterThan(0);
  for (const { 'Node Type': type, 'Index Name': index = 'no index', Filter: filter = 'no filter' } of scans) {
    expect(index, `A filter needs an index. The plan has: ${type}, ${filter}`).toMatch(/^pet_/);
  }
}

/** The scans of a page that several requests share, with the generic plan that the service uses. */
async function listScans(query: PageQuery, requests: number): Promise<Plan[]> {
  const sent: pg.QueryConfig[] = [];
  const run = (statement: pg.QueryConfig) => Promise.resolve({ rows: [], sent: sent.push(statement) });
  const lists = new PetListRepository({ query: run } as never, {} as never, new Metrics());
  // Equal requests would be one.
  const queries = Array.from({ length: requests }, (_, index) => ({ ...query, size: size - index }));
  await Promise.all(queries.map((one) => lists.list(one, 1)));
  const [{ text, values = [] } = { text: '' }] = sent;
  const literals = (values as unknown[][]).map((value) => `'{${value.map((element) => element ?? 'NULL').join(',')}}'`);
  await client.query('SET plan_cache_mode = force_generic_plan');
  await client.query(`PREPARE page AS ${text}`);
  const scans = await scansOf(`EXECUTE page (${literals.join(', ')})`);
  await client.query('DEALLOCATE page');
  return scans;
}

/** The scans of a search or a count, which the service plans for its values. */
async function plannedScans(run: (lists: PetListRepository) => Promise<unknown>): Promise<Plan[]> {
  const sent: Prisma.Sql[] = [];
  const prisma = {
    $executeRaw: () => undefined,
    $queryRaw: (statement: Prisma.Sql) => sent.push(statement),
    $transaction: () => Promise.resolve([0, [{ total: 0n }]]),
  };
  await run(new PetListRepository({} as never, prisma as never, new Metrics()));
  const [{ text, values } = { text: '', values: [] }] = sent;
  await client.query('SET plan_cache_mode = force_custom_plan');
  return scansOf(text, values);
}

/** The start of the first page. */
const startOf = (order: ListOrder) => (order === 'asc' ? int64.min : int64.max);

const searchScans = (filter: PetFilter, order: ListOrder) =>
  plannedScans((lists) => lists.list({ filter, order, startId: startOf(order), size }, 1));

const inBothOrders = <Query>(queries: Query[]) =>
  listOrders.flatMap((order) => queries.map((query) => ({ ...query, order })));

const pages = [undefined, ...petStatuses].flatMap((status) =>
  [undefined, 1n, 25_000n, 49_990n].flatMap((startId) => [1, 3].map((requests) => ({ status, startId, requests }))),
);
it.each(inBothOrders(pages))(
  'GET /v1/pets reads a range of an index at any depth: $status, $order, from id $startId, $requests requests',
  async ({ status, order, startId = startOf(order), requests }) => {
    const scans = await listScans({ filter: { ...(status && { status }) }, order, startId, size }, requests);
    // One scan reads the page, one looks for a pet after it.
    expect(scans).toHaveLength(2);
    expectRanges(scans, status === undefined ? 'pet_pkey' : 'pet_status_id_idx', 2 * requests);
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
    expectIndexed(await searchScans(filter, order));
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
      const counted = await plannedScans((lists) => lists.count(filter, 1));
      const scans = [...counted, ...(await searchScans(filter, order))];
      expectIndexed(scans);
      for (const scan of scans) expect(scan['Rows Removed by Filter'] ?? 0).toBeLessThan(5000);
    },
  );

  // The primary key would lead past all animals of other categories: of a new or an old one, past nearly all animals.
  it.each(
    inBothOrders([
      { categoryId: [7n] },
      { categoryId: [7n, 1000n], status: 'available' as const },
      { categoryId: [1000n] },
      { categoryId: [100_000n], status: 'sold' as const },
      { categoryId: Array.from({ length: 20 }, (_, index) => BigInt(990 + index)) },
    ]),
  )('reads a range of the index for each category and status: %o', async ({ order, ...filter }) => {
    const scans = await searchScans(filter, order);
    expectRanges(scans, 'pet_category_id_status_id_idx', filter.categoryId.length * petStatuses.length);
  });
});
