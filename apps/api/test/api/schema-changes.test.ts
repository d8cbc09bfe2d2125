import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPet, linkOf } from '../support/pets.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.close());

describe('After ALTER TYPE "PetStatus" ADD VALUE', () => {
  it('lists, gets and counts a pet with a status that this version does not know', async () => {
    const { id: first } = await addPet(service.api);
    await service.sql(`ALTER TYPE "PetStatus" ADD VALUE 'reserved' BEFORE 'sold'`);
    await service.sql(`INSERT INTO pet (name, category_id, status) VALUES ('Rex', 7, 'reserved')`);
    const { id: last } = await addPet(service.api, { status: 'sold' });
    const id = first + 1n;
    const reserved = `{"id":${id},"name":"Rex","categoryId":7,"status":"reserved"}`;

    const newest = await service.api.get('/v1/pets?order=desc&limit=2', { prefer: 'count=exact' });
    expect(newest.text).toBe(`[{"id":${last},"name":"Rex","categoryId":7,"status":"sold"},${reserved}]`);
    expect(newest.headers.get('x-total-count')).toBe('3');
    const next = await service.api.get(linkOf(newest, 'next') ?? '');
    expect(next.text).toBe(`[{"id":${first},"name":"Rex","categoryId":7,"status":"available"}]`);
    expect((await service.api.get('/v1/pets?order=desc&limit=1')).json).toMatchObject([{ id: last }]);
    expect((await service.api.get(`/v1/pets/${id}`)).text).toBe(reserved);
    expect((await service.api.get(`/v1/pets?id=${id}`)).text).toBe(`[${reserved}]`);
  });
});

describe('After ALTER TABLE pet ADD COLUMN', () => {
  it('keeps serving requests, without the new column', async () => {
    const { id } = await addPet(service.api, { name: 'Bella' });
    await service.sql(`ALTER TABLE pet ADD COLUMN breed text`);
    await service.sql(`UPDATE pet SET breed = 'Beagle'`);
    const { text } = await service.api.get(`/v1/pets?id=${id}`);
    expect(text).toBe(`[{"id":${id},"name":"Bella","categoryId":7,"status":"available"}]`);
    expect((await addPet(service.api)).id).toBe(id + 1n);
  });
});
