import { beforeEach, describe, expect, it } from 'vitest';
import { addPet, addPets, cursorOf } from '../support/pets.js';
import { useAppOn, useTestApp } from '../support/test-app.js';

const service = useTestApp();
const second = useAppOn(() => service.databaseUrl);
beforeEach(() => service.sql('TRUNCATE pet CASCADE'));

/** The headers about the total. */
async function totalOf(query: string, prefer = 'count=exact'): Promise<(string | null)[]> {
  const { status, headers } = await second.api.get(`/v1/pets?limit=1&${query}`, { prefer });
  expect(status).toBe(200);
  return [headers.get('x-total-count'), headers.get('preference-applied')];
}

describe('GET /v1/pets with Prefer', () => {
  it.each([
    ['count=exact', true],
    ['COUNT=exact', true],
    ['count = "exact"', true],
    ['respond-async, count=exact', true],
    ['count=exact; a=b, wait=9', true],
    ['', false],
    ['count', false],
    ['count=estimated', false],
    ['discount=exact', false],
    ['a; count=exact', false],
  ])('for Prefer: %s, returns the number of all pets? %s', async (prefer, isCounted) => {
    await addPets(service.api, 3);
    expect(await totalOf('', prefer)).toEqual(isCounted ? ['3', 'count=exact'] : [null, null]);
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

  it('counts a search up to 10,000 matches; above, neither header is sent', async () => {
    await service.sql(`INSERT INTO pet (name, category_id) SELECT 'Counted ' || n, 7 FROM generate_series(1, 10000) n`);
    expect(await totalOf('q=counted')).toEqual(['10000', 'count=exact']);
    await addPet(service.api, { name: 'Counted too' });
    expect(await totalOf('q=counted')).toEqual([null, null]);
    expect(await totalOf('q=counted&categoryId=7')).toEqual([null, null]);
    expect(await totalOf('q=counted+too')).toEqual(['1', 'count=exact']);
    expect(await totalOf('categoryId=7')).toEqual(['10001', 'count=exact']);
  });

  it('counts other lists up to 1,000,000 matches; above, neither header is sent', async () => {
    await service.sql('ALTER TABLE pet RENAME TO few');
    await service.sql(`INSERT INTO few (name, category_id, status) VALUES ('Rex', 7, 'sold')`);
    const show = (pets: number) =>
      service.sql(`CREATE OR REPLACE VIEW pet AS SELECT few.* FROM few, generate_series(1, ${pets});
        GRANT SELECT ON pet TO PUBLIC`);
    for (const [pets, total, applied] of [
      [1_000_000, '1000000', 'count=exact'],
      [1_000_001, null, null],
    ] as const) {
      await show(pets);
      for (const query of ['', 'status=sold', 'categoryId=7']) {
        expect(await totalOf(query), query).toEqual([total, applied]);
      }
    }
  });
});
