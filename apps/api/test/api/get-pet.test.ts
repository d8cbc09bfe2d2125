import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, Api } from '../support/api.js';
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

function expectDeprecated({ headers }: Answer): void {
  expect(headers.get('deprecation')).toBe(`@${Date.parse('2026-11-20T00:00:00Z') / 1000}`);
  expect(headers.get('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
  expect(headers.get('link')).toBe('</v1/pets>; rel="successor-version"');
}

describe('GET /v1/pets/{petId}', () => {
  it('answers 200 with the animal', async () => {
    const pet = await addPet(service.api, { name: ' Zoe\u0308 ', categoryId: -9223372036854775808n, status: 'sold' });
    const answer = await service.api.get(`/v1/pets/${pet.id}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.json).toEqual(pet);
    expectDeprecated(answer);
  });

  it('answers 200 with every digit of the largest id', async () => {
    await service.sql(`INSERT INTO pet (id, name, category_id) VALUES (9223372036854775807, 'Last', 1)`);
    const { text } = await service.api.get('/v1/pets/9223372036854775807');
    expect(text).toBe('{"id":9223372036854775807,"name":"Last","categoryId":1,"status":"available"}');
  });

  it('answers 404 pet_not_found when no animal has the id', async () => {
    const answer = await service.api.get('/v1/pets/999999');
    expect(expectError(answer, 'pet_not_found')).toBe('No animal has this id.');
    expectDeprecated(answer);
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
  ])('answers 404 pet_not_found for %.40s, which is no id in plain digits', async (petId) => {
    await addPet(service.api);
    const answer = await service.api.get(`/v1/pets/${petId}`);
    expectError(answer, 'pet_not_found');
    expectDeprecated(answer);
  });

  it('answers 401 without a key and with a wrong one, and says that it is deprecated', async () => {
    const withoutKey = await new Api(service.url).get('/v1/pets/1');
    expectError(withoutKey, 'missing_api_key');
    expectDeprecated(withoutKey);
    const withWrongKey = await new Api(service.url, 'psk_wrong').get('/v1/pets/1');
    expectError(withWrongKey, 'invalid_api_key');
    expectDeprecated(withWrongKey);
  });

  it('answers 403 with a key that may not read, and says that it is deprecated', async () => {
    const { key } = await service.keys.create('writer', ['write'], null);
    const api = new Api(service.url, key);
    await expect.poll(async () => (await api.get('/v1/pets/1')).status, { timeout: 5000 }).toBe(403);
    const answer = await api.get('/v1/pets/1');
    expectError(answer, 'insufficient_scope');
    expectDeprecated(answer);
  });
});

describe('GET /v1/pets/{petId} with If-None-Match', () => {
  it('answers 200 with an ETag and how it may be cached, then 304', async () => {
    const { id } = await addPet(service.api);
    const answer = await service.api.get(`/v1/pets/${id}`);
    const etag = answer.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    expect(answer.headers.get('vary')).toBe('Authorization');
    const again = await service.api.get(`/v1/pets/${id}`, { 'if-none-match': etag });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    expectDeprecated(again);
  });

  it('answers 404 to any tag when there is no animal', async () => {
    expectError(await service.api.get('/v1/pets/999999', { 'if-none-match': '*' }), 'pet_not_found');
  });
});

describe('HEAD /v1/pets/{petId}', () => {
  it('answers 200 with the headers of GET and no body', async () => {
    const { id } = await addPet(service.api);
    const got = await service.api.get(`/v1/pets/${id}`);
    const head = await service.api.head(`/v1/pets/${id}`);
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'vary']) {
      expect(head.headers.get(name), name).toBe(got.headers.get(name));
    }
    expectDeprecated(head);
  });

  it('answers 404 without a body when no animal has the id', async () => {
    const answer = await service.api.head('/v1/pets/999999');
    expect([answer.status, answer.text]).toEqual([404, '']);
    expectDeprecated(answer);
  });

  it('answers 410 without a body from the removal date on', async () => {
    service.clock.time = removal;
    const answer = await service.api.head('/v1/pets/1');
    expect([answer.status, answer.text]).toEqual([410, '']);
  });
});

describe('GET /v1/pets/{petId} from 5 December 2030 on', () => {
  it('answers 200 to the last moment before', async () => {
    const { id } = await addPet(service.api);
    service.clock.time = new Date(removal.getTime() - 1);
    expect((await service.api.get(`/v1/pets/${id}`)).status).toBe(200);
  });

  it('answers 410 gone and says what to use instead, whatever the id', async () => {
    const { id } = await addPet(service.api);
    for (const time of [removal, new Date('2040-01-01T00:00:00Z')]) {
      service.clock.time = time;
      for (const petId of [id, 999999, 'abc']) {
        const answer = await service.api.get(`/v1/pets/${petId}`);
        expect(expectError(answer, 'gone')).toContain('GET /v1/pets?id={petId}');
        expectDeprecated(answer);
      }
    }
  });

  it('answers 401 first to a request without a good key', async () => {
    service.clock.time = removal;
    expectError(await new Api(service.url).get('/v1/pets/1'), 'missing_api_key');
    expectError(await new Api(service.url, 'psk_wrong').get('/v1/pets/1'), 'invalid_api_key');
  });

  it('leaves the list by id as the way to one animal, which POST then names', async () => {
    service.clock.time = removal;
    const answer = await service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    const { id } = answer.json as { id: bigint };
    expect(answer.headers.get('location')).toBe(`/v1/pets?id=${id}`);
    expect((await service.api.get(`/v1/pets?id=${id}`)).json).toEqual([answer.json]);
  });
});
