import { type Pet, petStatuses } from '@petstore/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.js';
import { addPet, addPets, cursorOf, idsOf, walk } from '../support/pets.js';
import { useTestApp } from '../support/test-app.js';

const service = useTestApp();
beforeEach(() => service.sql('TRUNCATE pet CASCADE'));

const list = async (query: string) => idsOf(await service.api.get(`/v1/pets?${query}`));

describe('GET /v1/pets', () => {
  it('returns 200 with exactly the four members of each pet, and all digits of an int64', async () => {
    const first = await addPet(service.api, { name: ' Ünï 🐈 ', categoryId: 9223372036854775807n });
    const second = await addPet(service.api, { categoryId: -1, status: 'sold' });
    expect((await service.api.get('/v1/pets')).text).toBe(
      `[{"id":${first.id},"name":" Ünï 🐈 ","categoryId":9223372036854775807,"status":"available"},` +
        `{"id":${second.id},"name":"Rex","categoryId":-1,"status":"sold"}]`,
    );
  });

  it('returns 200 with 20 pets when the limit is omitted, else with as many as it allows', async () => {
    const ids = (await addPets(service.api, 21)).map(({ id }) => id);
    expect(await list('')).toEqual(ids.slice(0, 20));
    expect(await list('limit=2')).toEqual(ids.slice(0, 2));
    expect(await list('limit=100')).toEqual(ids);
  });
});

describe('GET /v1/pets?id=', () => {
  it('returns 200 with the one pet on the only page, also with the limit and order that tools fill in', async () => {
    const [, pet] = await addPets(service.api, 3);
    const response = await service.api.get(`/v1/pets?id=${pet?.id}`);
    expect(response.json).toEqual([pet]);
    expect(response.headers.get('link')).toBe(`</v1/pets?id=${pet?.id}>; rel="first"`);
    expect(await list(`id=${pet?.id}&limit=20&order=desc&status=available`)).toEqual([pet?.id]);
  });

  it('returns 200 with the pet only if it has the requested status', async () => {
    const { id } = await addPet(service.api, { status: 'sold' });
    const sold = await service.api.get(`/v1/pets?id=${id}&status=sold`);
    expect(idsOf(sold)).toEqual([id]);
    expect(sold.headers.get('link')).toBe(`</v1/pets?status=sold&id=${id}>; rel="first"`);
    expect(await list(`id=${id}&status=pending`)).toEqual([]);
  });
});

/** Seven pets of each status, mixed. */
async function addMixed(): Promise<Pet[]> {
  const pets = [];
  for (let round = 0; round < 7; round += 1) {
    for (const status of petStatuses) pets.push(await addPet(service.api, { status }));
  }
  return pets;
}

it.each(['asc', 'desc'])(
  'a walk through GET /v1/pets returns each pet that existed at its start once, while others are created (%s)',
  async (order) => {
    const before = (await addMixed()).map(({ id }) => id);
    const adding = Promise.all(Array.from({ length: 4 }, () => addPets(service.api, 15)));
    const walked = (await walk(service.api, `/v1/pets?limit=2&order=${order}`)).flat();
    await adding;
    expect(new Set(walked).size).toBe(walked.length);
    expect(walked.filter((id) => before.includes(id))).toEqual(order === 'asc' ? before : before.toReversed());
  },
);

describe('GET /v1/pets links', () => {
  it('keep the whole filter, limit and order, percent-encoded, add no other parameter, and are relative', async () => {
    await addPets(service.api, 21, { name: 'rex &b', status: 'sold' });
    const written = 'order=desc&q=REX+%26b&limit=1&status=sold&categoryId=7,1,1';
    const canonical = 'limit=1&status=sold&categoryId=1%2C7&q=REX%20%26b&order=desc';
    const same = ['', 'limit=5', 'status=sold', 'order=desc', 'limit=5&status=sold&order=desc'];
    for (const [query, kept] of [...same.map((text) => [text, text] as const), [written, canonical] as const]) {
      const response = await service.api.get(`/v1/pets?${query}`);
      const after = await cursorOf(service.api, query);
      const first = kept ? `?${kept}` : '';
      const next = `?${kept ? `${kept}&` : ''}after=${after}`;
      expect(response.headers.get('link')).toBe(`</v1/pets${next}>; rel="next", </v1/pets${first}>; rel="first"`);
    }
  });

  it('name no next page on the last one, and for an empty list', async () => {
    expect((await service.api.get('/v1/pets')).headers.get('link')).toBe('</v1/pets>; rel="first"');
    await addPets(service.api, 3);
    const last = await service.api.get(`/v1/pets?limit=2&after=${await cursorOf(service.api, 'limit=2')}`);
    expect(last.headers.get('link')).toBe('</v1/pets?limit=2>; rel="first"');
    expect((await service.api.get('/v1/pets?limit=3')).headers.get('link')).toBe('</v1/pets?limit=3>; rel="first"');
  });
});

describe('GET /v1/pets?after=', () => {
  it('returns 200 when the limit changes between pages, and with the default order', async () => {
    const ids = (await addPets(service.api, 9)).map(({ id }) => id);
    const after = await cursorOf(service.api, 'limit=2');
    expect(await list(`limit=5&after=${after}`)).toEqual(ids.slice(2, 7));
    expect(await list(`order=asc&after=${after}`)).toEqual(ids.slice(2));
  });

  it('returns 400 invalid_cursor when a character of the cursor is changed, missing or added', async () => {
    await addPets(service.api, 2);
    const after = await cursorOf(service.api, 'limit=1');
    const changed = [...after].map(
      (character, at) => after.slice(0, at) + (character === 'A' ? 'B' : 'A') + after.slice(at + 1),
    );
    const others = [after.slice(1), after.slice(0, -1), `${after}A`, `${after}=`, after.repeat(200), ` ${after}`];
    for (const cursor of [...changed, ...others, `${after}%0A`, '', '1', '%00']) {
      expectError(await service.api.get(`/v1/pets?after=${cursor}`), 'invalid_cursor');
    }
  });
});

it.each([
  ['/v1/pets?limit=1', 'Authorization, Prefer'],
  ['/v1/pets/{petId}', 'Authorization'],
])('GET %s returns a strong ETag, then 304, and 200 to HEAD, with the same headers and no body', async (path, vary) => {
  const [pet] = await addPets(service.api, 2);
  const address = path.replace('{petId}', String(pet?.id));
  const prefer = 'count=exact';
  const { headers } = await service.api.get(address, { prefer });
  const etag = headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[A-Za-z0-9_-]+"$/);
  expect(headers.get('cache-control')).toBe('private, no-cache');
  expect(headers.get('vary')).toBe(vary);
  const again = await service.api.get(address, { prefer, 'if-none-match': etag });
  const head = await service.api.head(address, { prefer });
  expect(again).toMatchObject({ status: 304, text: '' });
  expect(head).toMatchObject({ status: 200, text: '' });
  expect(again.headers.has('content-type')).toBe(false);
  for (const name of ['etag', 'cache-control', 'vary', 'link', 'deprecation', 'sunset', 'x-total-count']) {
    for (const other of [again, head]) expect(other.headers.get(name), name).toBe(headers.get(name));
  }
  for (const name of ['content-type', 'content-length']) expect(head.headers.get(name)).toBe(headers.get(name));
});

it('GET /v1/pets returns 200 with a new ETag after a pet was created, also when only the next page is new', async () => {
  await addPets(service.api, 2);
  const queries = ['', '?limit=2'];
  const etagOf = async (query: string) => (await service.api.get(`/v1/pets${query}`)).headers.get('etag') ?? '';
  const etags = await Promise.all(queries.map(etagOf));
  await addPet(service.api);
  for (const [index, query] of queries.entries()) {
    const response = await service.api.get(`/v1/pets${query}`, { 'if-none-match': etags[index] ?? '' });
    expect(response.status).toBe(200);
    expect(response.headers.get('etag')).not.toBe(etags[index]);
  }
});
