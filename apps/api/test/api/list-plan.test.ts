import { type ListOrder, petStatuses } from '@petstore/contracts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AskedPage, PetsRepository } from '../../src/features/pets/pets.repository.js';
import type { PrismaService } from '../../src/platform/database/prisma.service.js';
import { createMigratedDatabase, type ScratchDatabase } from '../support/scratch-database.js';

const rows = 50_000;

interface Plan {
  'Node Type': string;
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
  // Sold animals are rare, and only among the oldest: the status for which an index is worth most.
  await client.query(`INSERT INTO pet (name, category_id, status) SELECT 'Rex', n,
    (CASE WHEN n < 1000 AND n % 10 = 0 THEN 'sold' WHEN n % 3 = 0 THEN 'pending' ELSE 'available' END)::"PetStatus"
    FROM generate_series(1, ${rows}) n`);
  await client.query('ANALYZE pet');
  // As the service plans its statements.
  await client.query('SET plan_cache_mode = force_generic_plan');
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

interface Page extends AskedPage {
  order: ListOrder;
}

/** The part of the plan that reads the animals of a page: a limit, and what is below. */
async function planOf({ order, ...asked }: Page, requests: number): Promise<Plan[]> {
  let [sql, values]: Parameters<PrismaService['queryRows']> = ['', []];
  const queryRows = async (...sent: Parameters<PrismaService['queryRows']>) => {
    [sql, values] = sent;
    return [];
  };
  const shape = { order, isFiltered: asked.status !== undefined };
  await new PetsRepository({ queryRows } as never).pages(
    shape,
    Array.from({ length: requests }, () => asked),
  );
  await client.query(`PREPARE page AS ${sql}`);
  const explained = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE page (${values.map(literal).join(', ')})`,
  );
  await client.query('DEALLOCATE page');
  const nodes = explained.rows.flatMap((row) => withAllBelow(row['QUERY PLAN'][0].Plan));
  return nodes.slice(nodes.findIndex((node) => node['Node Type'] === 'Limit'));
}

function literal(value: unknown): string {
  return Array.isArray(value) ? `'{${value.join(',')}}'` : `'${String(value)}'`;
}

function withAllBelow(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(withAllBelow)];
}

const orders: ListOrder[] = ['asc', 'desc'];
const statuses = [undefined, ...petStatuses];
const pages = statuses.flatMap((status) =>
  orders.flatMap((order) =>
    [undefined, 1n, 500n, 25_000n, 49_990n].flatMap((afterId) =>
      [1, 3].map((requests) => ({ status, order, afterId, size: 20, requests })),
    ),
  ),
);

describe('A page of GET /v1/pets', () => {
  const name = 'is a range of an index, however deep: status $status, $order, behind $afterId, for $requests requests';
  it.each(pages)(name, async ({ requests, ...page }) => {
    const [limit, scan, ...others] = await planOf(page, requests);
    expect([limit, scan].map((node) => node?.['Node Type'])).toEqual(['Limit', 'Index Scan']);
    expect(others).toEqual([]);
    expect(scan?.['Index Name']).toBe(page.status === undefined ? 'pet_pkey' : 'pet_status_id_idx');
    expect(scan?.['Rows Removed by Filter'] ?? 0).toBe(0);
    // Each row may lie in a block of its own; beside these it is the way down the index and not the depth that counts.
    const blocks = (scan?.['Shared Hit Blocks'] ?? 0) + (scan?.['Shared Read Blocks'] ?? 0);
    expect(blocks).toBeLessThan(requests * (page.size + 11));
  });
});
