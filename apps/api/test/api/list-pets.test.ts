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
  it('answers 200 with an empty array when there is no animal', async () => {
    const answer = await service.api.get('/v1/pets');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.text).toBe('[]');
  });

  it('answers 200 with each animal as it was added', async () => {
    const first = await addPet(service.api, { name: 'Rex', categoryId: 7, status: 'sold' });
    const second = await addPet(service.api, { name: ' Ünï 🐈 ', categoryId: -1 });
    const answer = await service.api.get('/v1/pets');
    expect(answer.json).toEqual([
      { id: first.id, name: 'Rex', categoryId: 7n, status: 'sold' },
      { id: second.id, name: ' Ünï 🐈 ', categoryId: -1n, status: 'available' },
    ]);
  });

  it('answers 200 with every digit of an int64', async () => {
    const { id } = await addPet(service.api, { categoryId: 9223372036854775807n });
    const { text } = await service.api.get('/v1/pets');
    expect(text).toBe(`[{"id":${id},"name":"Rex","categoryId":9223372036854775807,"status":"available"}]`);
  });

  it('answers 200 with 20 animals when no limit is given', async () => {
    const ids = (await addPets(service.api, 21)).map(({ id }) => id);
    expect(idsOf(await service.api.get('/v1/pets'))).toEqual(ids.slice(0, 20));
  });

  it('answers 200 with as many animals as the limit allows', async () => {
    const ids = (await addPets(service.api, 3)).map(({ id }) => id);
    expect(idsOf(await service.api.get('/v1/pets?limit=2'))).toEqual(ids.slice(0, 2));
    expect(idsOf(await service.api.get('/v1/pets?limit=3'))).toEqual(ids);
  });

  it('answers 200 with the animals of one status only', async () => {
    for (const status of ['available', 'pending', 'sold']) await addPet(service.api, { status });
    for (const status of ['available', 'pending', 'sold']) {
      const answer = await service.api.get(`/v1/pets?status=${status}`);
      expect(answer.json).toEqual([expect.objectContaining({ status })]);
    }
  });

  it('answers 200 by ascending id, or by descending id when asked', async () => {
    const ids = (await addPets(service.api, 3)).map(({ id }) => id);
    expect(idsOf(await service.api.get('/v1/pets'))).toEqual(ids);
    expect(idsOf(await service.api.get('/v1/pets?order=asc'))).toEqual(ids);
    expect(idsOf(await service.api.get('/v1/pets?order=desc'))).toEqual(ids.toReversed());
  });

  it('answers 200 with no member beyond the four of the specification', async () => {
    await addPet(service.api);
    const [pet] = (await service.api.get('/v1/pets')).json as object[];
    expect(Object.keys(pet ?? {})).toEqual(['id', 'name', 'categoryId', 'status']);
  });
});

describe('GET /v1/pets?id=', () => {
  it('answers 200 with the one animal, without links', async () => {
    const [, pet] = await addPets(service.api, 3);
    const answer = await service.api.get(`/v1/pets?id=${pet?.id}`);
    expect(answer.json).toEqual([pet]);
    expect(answer.headers.has('link')).toBe(false);
  });

  it('answers 200 with an empty array when no animal has the id', async () => {
    const { id } = await addPet(service.api);
    expect(idsOf(await service.api.get(`/v1/pets?id=${id + 1n}`))).toEqual([]);
  });

  it('answers 200 with the animal only when its status is the one that is asked for', async () => {
    const { id } = await addPet(service.api, { status: 'sold' });
    expect(idsOf(await service.api.get(`/v1/pets?id=${id}&status=sold`))).toEqual([id]);
    expect(idsOf(await service.api.get(`/v1/pets?id=${id}&status=pending`))).toEqual([]);
  });

  it('answers 200 with the animal that has the largest id there can be', async () => {
    await service.sql(`INSERT INTO pet (id, name, category_id) VALUES (9223372036854775807, 'Last', 1)`);
    const { text } = await service.api.get('/v1/pets?id=9223372036854775807');
    expect(text).toBe('[{"id":9223372036854775807,"name":"Last","categoryId":1,"status":"available"}]');
  });
});
