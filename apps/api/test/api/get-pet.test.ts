import { afterEach, describe, expect, it } from 'vitest';
import type { ApiResponse } from '../support/api.js';
import { expectError } from '../support/expect-error.js';
import { addPet } from '../support/pets.js';
import { useTestApp } from '../support/test-app.js';

const removal = new Date('2030-12-05T00:00:00Z');

const service = useTestApp();
afterEach(() => {
  service.clock.time = undefined;
});

function expectDeprecated({ headers }: ApiResponse): void {
  expect(headers.get('deprecation')).toBe(`@${Date.parse('2026-11-20T00:00:00Z') / 1000}`);
  expect(headers.get('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
  expect(headers.get('link')).toBe('</v1/pets>; rel="successor-version"');
}

describe('GET /v1/pets/{petId}', () => {
  it('returns 200 with the pet', async () => {
    const pet = await addPet(service.api, { name: ' Zoe\u0308 ', categoryId: -9223372036854775808n, status: 'sold' });
    const response = await service.api.get(`/v1/pets/${pet.id}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.json).toEqual(pet);
    expectDeprecated(response);
  });

  it('returns 404 pet_not_found when no pet has the id, also to If-None-Match: *', async () => {
    const response = await service.api.get('/v1/pets/999999', { 'if-none-match': '*' });
    expect(expectError(response, 'pet_not_found')).toBe('No animal has this id.');
    expectDeprecated(response);
  });

  it.each(['0', '-1', '01', '1.0', '%201', 'abc', '9223372036854775808', '1%2F2'])(
    'returns 404 pet_not_found for %.40s, which is not an id in plain digits',
    async (petId) => {
      const response = await service.api.get(`/v1/pets/${petId}`);
      expectError(response, 'pet_not_found');
      expectDeprecated(response);
    },
  );

  it('returns 401 and 405 with deprecation headers', async () => {
    const responses = [await service.anonymous.get('/v1/pets/1'), await service.api.send('DELETE', '/v1/pets/1')];
    expect(responses.map(({ status }) => status)).toEqual([401, 405]);
    for (const response of responses) expectDeprecated(response);
  });
});

it('from 5 December 2030 on, every id is 410 gone, also to HEAD; the list with `id` and Location replace it', async () => {
  const { id } = await addPet(service.api);
  service.clock.time = new Date(removal.getTime() - 1);
  expect((await service.api.get(`/v1/pets/${id}`)).status).toBe(200);
  service.clock.time = removal;
  for (const petId of [id, 999999, 'abc']) {
    const response = await service.api.get(`/v1/pets/${petId}`);
    expect(expectError(response, 'gone')).toContain('GET /v1/pets?id={petId}');
    expectDeprecated(response);
  }
  expect((await service.api.head('/v1/pets/1')).status).toBe(410);
  const created = await service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 });
  const location = `/v1/pets?id=${(created.json as { id: bigint }).id}`;
  expect(created.headers.get('location')).toBe(location);
  expect((await service.api.get(location)).json).toEqual([created.json]);
});
