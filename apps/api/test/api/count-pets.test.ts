import type { Pet } from '@petstore/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { addPet, addPets, cursorOf } from '../support/pets.js';
import { useAppOn, useTestApp } from '../support/test-app.js';

const service = useTestApp();
const second = useAppOn(() => service.databaseUrl);
beforeEach(() => service.sql('TRUNCATE pet CASCADE'));

/** Expects this total and that the preference was applied, or neither header. */
async function expectTotal(query: string, total: number | undefined, prefer = 'count=exact'): Promise<void> {
  const { status, headers } = await second.api.get(`/v1/pets?limit=1&${query}`, { prefer });
  expect(status).toBe(200);
  expect(headers.get('x-total-count'), query).toBe(total === undefined ? null : String(total));
  expect(headers.get('preference-applied'), query).toBe(total === undefined ? null : 'count=exact');
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
    const [{ id }] = (await addPets(service.api, 3)) as [Pet];
    await expectTotal('', isCounted ? 3 : undefined, prefer);
    await expectTotal(`id=${id}`, isCounted ? 1 : undefined, prefer);
  });

  it('counts the pets that match the filter, on all pages', async () => {
    const [first] = await addPets(service.api, 3, { status: 'sold' });
    await addPet(service.api, { name: 'Max', categoryId: 9 });
    const after = await cursorOf(service.api, 'limit=2&status=sold');
    for (const [query, total] of [
      ['', 4],
      ['status=sold', 3],
      ['status=pending', 0],
      [`status=sold&after=${after}`, 3],
      [`id=${first?.id}`, 1],
      [`id=${first?.id}&status=pending`, 0],
      ['categoryId=7', 3],
      ['categoryId=7,9', 4],
      ['q=rex&categoryId=7,9', 3],
      ['q=max&status=sold', 0],
    ] as const) {
      await expectTotal(query, total);
    }
  });

  it('counts a search up to 10,000 matches; above, neither header is sent', async () => {
    await service.sql(`INSERT INTO pet (name, category_id) SELECT 'Counted ' || n, 7 FROM generate_series(1, 10000) n`);
    await expectTotal('q=counted', 10_000);
    await addPet(service.api, { name: 'Counted too' });
    await expectTotal('q=counted', undefined);
    await expectTotal('q=counted&categoryId=7', undefined);
    await expectTotal('q=counted+too', 1);
    await expectTotal('categoryId=7', 10_001);
  });

  it('counts other lists up to 1,000,000 matches; above, neither header is sent', async () => {
    await service.sql('ALTER TABLE pet RENAME TO few');
    await service.sql(`INSERT INTO few (name, category_id, status) VALUES ('Rex', 7, 'sold')`);
    const show = (pets: number) =>
      service.sql(`CREATE OR REPLACE VIEW pet AS SELECT few.* FROM few, generate_series(1, ${pets});
        GRANT SELECT ON pet TO PUBLIC`);
    for (const pets of [1_000_000, 1_000_001]) {
      await show(pets);
      const total = pets === 1_000_000 ? pets : undefined;
      for (const query of ['', 'status=sold', 'categoryId=7']) await expectTotal(query, total);
    }
  });
});
