import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.close());

describe('POST /v1/pets', () => {
  it('answers 201 with the animal and where it is', async () => {
    const answer = await service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    const { id } = answer.json as { id: bigint };
    expect(answer.status).toBe(201);
    expect(answer.json).toEqual({ id, name: 'Rex', categoryId: 7n, status: 'available' });
    expect(answer.headers.get('location')).toBe(`/v1/pets/${id}`);
  });
});
