import { type ListOrder, petStatuses } from '@petstore/contracts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listStatementOf, type PageQuery, PetsRepository } from '../../src/features/pets/pets.repository.js';
import { createMigratedDatabase, type ScratchDatabase } from '../support/scratch-database.js';

const rows = 50_000;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

let database: ScratchDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createMigratedDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // Sold pets are rare and old: without the index, a list of them reads nearly every pet.
  await client.query(`INSERT INTO pet (name, category_id, status) SELECT 'Rex', n,
    (CASE WHEN n < 1000 AND n % 10 = 0 THEN 'sold' WHEN n % 3 = 0 THEN 'pending' ELSE 'available' END)::"PetStatus"
    FROM generate_series(1, ${rows}) n`);
  await client.query('ANALYZE pet');
  // The same setting as in the service.
  await client.query('SET plan_cache_mode = force_generic_plan');
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** The subplan that reads the pets of a page: a Limit node and the nodes below it. */
async function planOf(query: PageQuery, requests: number): Promise<Plan[]> {
  let statement: pg.QueryConfig = { text: '' };
  const run = (sent: pg.QueryConfig) => {
    statement = sent;
    return Promise.resolve({ rows: [] });
  };
  const repository = new PetsRepository({ pool: { query: run } } as never);
  await repository.list(
    listStatementOf(query),
    Array.from({ length: requests }, () => query),
  );
  await client.query(`PREPARE page AS ${statement.text}`);
  const explained = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE page (${(statement.values ?? []).map(literal).join(', ')})`,
  );
  await client.query('DEALLOCATE page');
  return explained.rows.flatMap((row) => descendantsOf(row['QUERY PLAN'][0].Plan));
}

function literal(value: unknown): string {
  return Array.isArray(value) ? `'{${value.join(',')}}'` : `'${String(value)}'`;
}

function descendantsOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(descendantsOf)];
}

const orders: ListOrder[] = ['asc', 'desc'];
const statuses = [undefined, ...petStatuses];
const pages = statuses.flatMap((status) =>
  orders.flatMap((order) =>
    [undefined, 1n, 500n, 25_000n, 49_990n].flatMap((firstId) =>
      [1, 3].map((requests) => ({ status, order, firstId, size: 20, requests })),
    ),
  ),
);

describe('GET /v1/pets', () => {
  const name = 'reads a range of an index at any depth: status $status, $order, from id $firstId, $requests requests';
  it.each(pages)(name, async ({ requests, ...page }) => {
    const nodes = await planOf(page, requests);
    const scans = nodes.filter((node) => node['Node Type'].includes('Scan') && node['Relation Name'] === 'pet');
    const index = page.status === undefined ? 'pet_pkey' : 'pet_status_id_idx';
    // One scan reads the page, one looks for a pet after it.
    expect(scans.map((scan) => scan['Index Name'])).toEqual([index, index]);
    expect(scans.map((scan) => scan['Rows Removed by Filter'] ?? 0)).toEqual([0, 0]);
    // Each row may be in a different block. The remaining blocks are the descent of the index, which the depth does not affect.
    for (const scan of scans) {
      const blocks = scan['Shared Hit Blocks'] + scan['Shared Read Blocks'];
      expect(blocks).toBeLessThan(requests * (page.size + 11));
    }
  });
});
