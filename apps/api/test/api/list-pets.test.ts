import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addPet, addPets, idsOf } from '../support/pets.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
beforeEach(() => service.sql('TRUNCATE pet CASCADE'));
afterAll(() => service.close());

describe('GET /v1/pets', () => {
  it('returns 200 with an empty array when there are no pets', async () => {
    const response = await service.api.get('/v1/pets');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.text).toBe('[]');
  });

  it('returns 200 with each pet as it was created', async () => {
    const first = await addPet(service.api, { name: 'Rex', categoryId: 7, status: 'sold' });
    const second = await addPet(service.api, { name: ' Ünï 🐈 ', categoryId: -1 });
    const response = await service.api.get('/v1/pets');
    expect(response.json).toEqual([
      { id: first.id, name: 'Rex', categoryId: 7n, status: 'sold' },
      { id: second.id, name: ' Ünï 🐈 ', categoryId: -1n, status: 'available' },
    ]);
  });

  it('returns 200 with all digits of an int64', async () => {
    const { id } = await addPet(service.api, { categoryId: 9223372036854775807n });
    const { text } = await service.api.get('/v1/pets');
    expect(text).toBe(`[{"id":${id},"name":"Rex","categoryId":9223372036854775807,"status":"available"}]`);
  });

  it('returns 200 with 20 pets when the limit is omitted', async () => {
    const ids = (await addPets(service.api, 21)).map(({ id }) => id);
    expect(idsOf(await service.api.get('/v1/pets'))).toEqual(ids.slice(0, 20));
  });

  it('returns 200 with as many pets as the limit allows', async () => {
    const ids = (await addPets(service.api, 3)).map(({ id }) => id);
    expect(idsOf(await service.api.get('/v1/pets?limit=2'))).toEqual(ids.slice(0, 2));
    expect(idsOf(await service.api.get('/v1/pets?limit=3'))).toEqual(ids);
  });

  it('returns 200 with the pets of one status only', async () => {
    for (const status of ['available', 'pending', 'sold']) await addPet(service.api, { status });
    for (const status of ['available', 'pending', 'sold']) {
      const response = await service.api.get(`/v1/pets?status=${status}`);
      expect(response.json).toEqual([expect.objectContaining({ status })]);
    }
  });

  it('returns 200 by ascending id, or by descending id with order=desc', async () => {
    const ids = (await addPets(service.api, 3)).map(({ id }) => id);
    expect(idsOf(await service.api.get('/v1/pets'))).toEqual(ids);
    expect(idsOf(await service.api.get('/v1/pets?order=asc'))).toEqual(ids);
    expect(idsOf(await service.api.get('/v1/pets?order=desc'))).toEqual(ids.toReversed());
  });

  it('returns 200 with exactly the four members of the specification', async () => {
    await addPet(service.api);
    const [pet] = (await service.api.get('/v1/pets')).json as object[];
    expect(Object.keys(pet ?? {})).toEqual(['id', 'name', 'categoryId', 'status']);
  });
});

describe('GET /v1/pets?id=', () => {
  it('returns 200 with the one pet, on the only page', async () => {
    const [, pet] = await addPets(service.api, 3);
    const response = await service.api.get(`/v1/pets?id=${pet?.id}`);
    expect(response.json).toEqual([pet]);
    expect(response.headers.get('link')).toBe(`</v1/pets?id=${pet?.id}>; rel="first"`);
  });

  it('returns 200 with an empty array when no pet has the id', async () => {
    const { id } = await addPet(service.api);
    expect(idsOf(await service.api.get(`/v1/pets?id=${id + 1n}`))).toEqual([]);
  });

  it('returns 200 with the pet only if it has the requested status', async () => {
    const { id } = await addPet(service.api, { status: 'sold' });
    const sold = await service.api.get(`/v1/pets?id=${id}&status=sold`);
    expect(idsOf(sold)).toEqual([id]);
    expect(sold.headers.get('link')).toBe(`</v1/pets?status=sold&id=${id}>; rel="first"`);
    expect(idsOf(await service.api.get(`/v1/pets?id=${id}&status=pending`))).toEqual([]);
  });

  it('returns 200 with the pet that has the largest possible id', async () => {
    await service.sql(`INSERT INTO pet (id, name, category_id) VALUES (9223372036854775807, 'Last', 1)`);
    const { text } = await service.api.get('/v1/pets?id=9223372036854775807');
    expect(text).toBe('[{"id":9223372036854775807,"name":"Last","categoryId":1,"status":"available"}]');
  });
});
