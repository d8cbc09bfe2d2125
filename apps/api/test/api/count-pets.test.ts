import { petStatuses } from '@petstore/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Api } from '../support/api.js';
import { addPet, addPets, cursorOf } from '../support/pets.js';
import { hold } from '../support/scratch-database.js';
import { startOn, type TestApp, useTestApp } from '../support/test-app.js';

const service = useTestApp();
let second: TestApp;
beforeAll(async () => {
  second = await startOn(service.databaseUrl);
});
afterAll(() => second.close());
beforeEach(async () => {
  await service.sql('TRUNCATE pet CASCADE');
});

/** The headers about the total. */
async function totalOf(query: string, prefer = 'count=exact'): Promise<(string | null)[]> {
  const { status, headers } = await second.api.get(`/v1/pets?limit=1&${query}`, { prefer });
  expect(status).toBe(200);
  return [headers.get('x-total-count'), headers.get('preference-applied')];
}

const insert = (count: number, status = 'available') =>
  `INSERT INTO pet (name, category_id, status) SELECT 'Rex', 1, '${status}' FROM generate_series(1, ${count})`;

describe('GET /v1/pets with Prefer', () => {
  it.each([
    'count=exact',
    'COUNT=exact',
    'count = "exact"',
    'respond-async, count=exact',
    'count=exact; a=b, wait=9',
    'a="\\", count=none", count=exact',
  ])('returns the number of all pets for Prefer: %s', async (prefer) => {
    await addPets(service.api, 3);
    expect(await totalOf('', prefer)).toEqual(['3', 'count=exact']);
  });

  it.each([
    '',
    'count',
    'count=estimated',
    'discount=exact',
    'count=none, count=exact',
    'a; count=exact',
    'a="b,count=exact,c"',
  ])('returns no number for Prefer: %s', async (prefer) => {
    expect(await totalOf('', prefer)).toEqual([null, null]);
  });

  it('counts the pets that match the filter, on all pages', async () => {
    const [first] = await addPets(service.api, 3, { status: 'sold' });
    await addPet(service.api, { name: 'Max', categoryId: 9 });
    const after = await cursorOf(service.api, 'limit=2&status=sold');
    for (const [query, total] of [
      ['', '4'],
      ['status=sold', '3'],
      ['status=pending', '0'],
      [`status=sold&after=${after}`, '3'],
      [`id=${first?.id}`, '1'],
      [`id=${first?.id}&status=pending`, '0'],
      ['categoryId=7', '3'],
      ['categoryId=7,9', '4'],
      ['q=rex&categoryId=7,9', '3'],
      ['q=max&status=sold', '0'],
    ] as const) {
      expect(await totalOf(query), query).toEqual([total, 'count=exact']);
    }
  });

  it('returns 304 with the number when the page is unchanged', async () => {
    const etag = (await service.api.get('/v1/pets')).headers.get('etag') ?? '';
    const response = await service.api.get('/v1/pets', { prefer: 'count=exact', 'if-none-match': etag });
    expect([response.status, response.headers.get('x-total-count')]).toEqual([304, '0']);
  });

  it('counts a search up to 10,000 matches; above, neither header is sent', async () => {
    await service.sql(`INSERT INTO pet (name, category_id) SELECT 'Counted ' || n, 7 FROM generate_series(1, 10000) n`);
    expect(await totalOf('q=counted')).toEqual(['10000', 'count=exact']);
    await addPet(service.api, { name: 'Counted too' });
    expect(await totalOf('q=counted')).toEqual([null, null]);
    expect(await totalOf('q=counted&categoryId=7')).toEqual([null, null]);
    expect(await totalOf('q=counted+too')).toEqual(['1', 'count=exact']);
    expect(await totalOf('categoryId=7')).toEqual(['10001', 'count=exact']);
  });
});

describe('the total of a list', () => {
  it('is exact after creates on two processes, retries, transactions that commit or roll back, and SQL', async () => {
    const apis = [service.api, new Api(second.url, service.key)] as const;
    const creates = Array.from({ length: 120 }, async (_, number) => {
      const key = number % 3 === 0 ? {} : { 'idempotency-key': `key-${number % 20}` };
      const pet = { name: 'Rex', categoryId: 7, status: petStatuses[number % 2] };
      const { status } = await apis[number % 2 === 0 ? 0 : 1].post('/v1/pets', pet, key);
      expect(status).toBe(201);
    });
    const transactions = ['COMMIT', 'ROLLBACK'].map(async (end) => {
      const client = await hold(service.databaseUrl, insert(7, 'sold'));
      await client.query(end);
    });
    await Promise.all([...creates, ...transactions]);
    await service.sql(`DELETE FROM pet WHERE id % 5 = 0 AND id NOT IN (SELECT pet_id FROM idempotency_record)`);
    await service.sql(`UPDATE pet SET status = 'sold' WHERE id % 3 = 0`);
    const stored = await service.sql('SELECT status, count(*)::text AS number FROM pet GROUP BY status');
    expect(stored).toHaveLength(3);
    for (const { status, number } of stored) {
      expect(await totalOf(`status=${String(status)}`)).toEqual([number, 'count=exact']);
    }
    const [all] = await service.sql('SELECT count(*)::text AS number FROM pet');
    expect((await totalOf(''))[0]).toBe(all?.['number']);
  });
});
