import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, Api } from '../support/api.js';
import { expectError } from '../support/expect-error.js';
import { addPet } from '../support/pets.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const removal = new Date('2030-12-05T00:00:00Z');

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterEach(() => {
  service.clock.time = undefined;
});
afterAll(() => service.close());

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

  it('returns 200 with all digits of the largest id', async () => {
    await service.sql(`INSERT INTO pet (id, name, category_id) VALUES (9223372036854775807, 'Last', 1)`);
    const { text } = await service.api.get('/v1/pets/9223372036854775807');
    expect(text).toBe('{"id":9223372036854775807,"name":"Last","categoryId":1,"status":"available"}');
  });

  it('returns 404 pet_not_found when no pet has the id', async () => {
    const response = await service.api.get('/v1/pets/999999');
    expect(expectError(response, 'pet_not_found')).toBe('No animal has this id.');
    expectDeprecated(response);
  });

  it.each([
    '0',
    '-1',
    '+1',
    '01',
    '1.0',
    '1.5',
    '1e0',
    '0x1',
    '1n',
    '1_0',
    '%201',
    '1%20',
    '1%00',
    '%D9%A1',
    'abc',
    'null',
    '*',
    '1,2',
    '9223372036854775808',
    '-9223372036854775808',
    '9'.repeat(400),
    '%F0%9F%90%88',
    "1'%20OR%20'1'='1",
    '1%2F2',
    '__proto__',
  ])('returns 404 pet_not_found for %.40s, which is not an id in plain digits', async (petId) => {
    await addPet(service.api);
    const response = await service.api.get(`/v1/pets/${petId}`);
    expectError(response, 'pet_not_found');
    expectDeprecated(response);
  });

  it('returns 401 with deprecation headers without a key and with an unknown key', async () => {
    const withoutKey = await new Api(service.url).get('/v1/pets/1');
    expectError(withoutKey, 'missing_api_key');
    expectDeprecated(withoutKey);
    const withWrongKey = await new Api(service.url, 'psk_wrong').get('/v1/pets/1');
    expectError(withWrongKey, 'invalid_api_key');
    expectDeprecated(withWrongKey);
  });

  it('returns 405, and 401 without a key, with deprecation headers for other methods of the path', async () => {
    const put = { headers: { 'content-type': 'application/json' }, body: '{}' };
    const notAllowed = await service.api.send('PUT', '/v1/pets/1', put);
    expectError(notAllowed, 'method_not_allowed');
    expectDeprecated(notAllowed);
    const withoutKey = await new Api(service.url).send('PUT', '/v1/pets/1', put);
    expectError(withoutKey, 'missing_api_key');
    expectDeprecated(withoutKey);
  });

  it('returns 403 with deprecation headers for a key without read', async () => {
    const { key } = await service.keys.create('writer', ['write'], null);
    const api = new Api(service.url, key);
    await expect.poll(async () => (await api.get('/v1/pets/1')).status).toBe(403);
    const response = await api.get('/v1/pets/1');
    expectError(response, 'insufficient_scope');
    expectDeprecated(response);
  });
});

describe('GET /v1/pets/{petId} with If-None-Match', () => {
  it('returns 200 with ETag and Cache-Control, then 304', async () => {
    const { id } = await addPet(service.api);
    const response = await service.api.get(`/v1/pets/${id}`);
    const etag = response.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(response.headers.get('vary')).toBe('Authorization');
    const again = await service.api.get(`/v1/pets/${id}`, { 'if-none-match': etag });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    expectDeprecated(again);
  });

  it('returns 404 for any tag when the pet does not exist', async () => {
    expectError(await service.api.get('/v1/pets/999999', { 'if-none-match': '*' }), 'pet_not_found');
  });
});

describe('HEAD /v1/pets/{petId}', () => {
  it('returns 200 with the headers of GET and no body', async () => {
    const { id } = await addPet(service.api);
    const got = await service.api.get(`/v1/pets/${id}`);
    const head = await service.api.head(`/v1/pets/${id}`);
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'vary']) {
      expect(head.headers.get(name), name).toBe(got.headers.get(name));
    }
    expectDeprecated(head);
  });

  it('returns 404 without a body when no pet has the id', async () => {
    const response = await service.api.head('/v1/pets/999999');
    expect([response.status, response.text]).toEqual([404, '']);
    expectDeprecated(response);
  });

  it('returns 410 without a body from the removal date on', async () => {
    service.clock.time = removal;
    const response = await service.api.head('/v1/pets/1');
    expect([response.status, response.text]).toEqual([410, '']);
  });
});

describe('GET /v1/pets/{petId} from 5 December 2030 on', () => {
  it('returns 200 until the removal date', async () => {
    const { id } = await addPet(service.api);
    service.clock.time = new Date(removal.getTime() - 1);
    expect((await service.api.get(`/v1/pets/${id}`)).status).toBe(200);
  });

  it('returns 410 gone with the replacement, for any id', async () => {
    const { id } = await addPet(service.api);
    for (const time of [removal, new Date('2040-01-01T00:00:00Z')]) {
      service.clock.time = time;
      for (const petId of [id, 999999, 'abc']) {
        const response = await service.api.get(`/v1/pets/${petId}`);
        expect(expectError(response, 'gone')).toContain('GET /v1/pets?id={petId}');
        expectDeprecated(response);
      }
    }
  });

  it('returns 401 instead of 410 without a valid key', async () => {
    service.clock.time = removal;
    expectError(await new Api(service.url).get('/v1/pets/1'), 'missing_api_key');
    expectError(await new Api(service.url, 'psk_wrong').get('/v1/pets/1'), 'invalid_api_key');
  });

  it('is replaced by the list with `id`, which the Location of POST then names', async () => {
    service.clock.time = removal;
    const response = await service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    const { id } = response.json as { id: bigint };
    expect(response.headers.get('location')).toBe(`/v1/pets?id=${id}`);
    expect((await service.api.get(`/v1/pets?id=${id}`)).json).toEqual([response.json]);
  });
});
