import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiResponse } from '../support/api.js';
import { addPet, addPets } from '../support/pets.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
beforeEach(() => service.sql('TRUNCATE pet CASCADE'));
afterAll(() => service.close());

function etagOf({ headers }: ApiResponse): string {
  return headers.get('etag') ?? '';
}

function list(ifNoneMatch?: string, query = ''): Promise<ApiResponse> {
  return service.api.get(`/v1/pets${query}`, ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch });
}

describe('GET /v1/pets with If-None-Match', () => {
  it('returns 200 with a strong ETag and Cache-Control', async () => {
    const response = await list();
    expect(etagOf(response)).toMatch(/^"[A-Za-z0-9_-]+"$/);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(response.headers.get('vary')).toBe('Authorization, Prefer');
  });

  it('returns 304 without a body when the tag matches', async () => {
    await addPets(service.api, 2);
    const response = await list(undefined, '?limit=1');
    const again = await list(etagOf(response), '?limit=1');
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers.has('content-type')).toBe(false);
    for (const name of ['etag', 'cache-control', 'vary', 'link']) {
      expect(again.headers.get(name)).toBe(response.headers.get(name));
    }
  });

  it('returns 304 for a tag in a list, for its weak form and for `*`', async () => {
    const etag = etagOf(await list());
    for (const value of [`"other", ${etag}`, `${etag},"other"`, `W/${etag}`, `W/"other" , W/${etag}`, '*']) {
      expect((await list(value)).status, value).toBe(304);
    }
  });

  it('returns 304 when the client asks caches for a fresh response', async () => {
    const etag = etagOf(await list());
    const response = await service.api.get('/v1/pets', { 'if-none-match': etag, 'cache-control': 'no-cache' });
    expect(response.status).toBe(304);
  });

  it('returns 200 when the tag is different or missing', async () => {
    const etag = etagOf(await list());
    for (const value of ['"other"', etag.slice(1, -1), `${etag.slice(0, -1)}x"`, '', '""', ',']) {
      expect((await list(value)).status, value).toBe(200);
    }
  });

  it('returns 200 with a new tag after a pet was created', async () => {
    const before = etagOf(await list());
    await addPet(service.api);
    const response = await list(before);
    expect(response.status).toBe(200);
    expect(etagOf(response)).not.toBe(before);
  });

  it('returns 200 when a full last page gets a next page, though its pets are the same', async () => {
    await addPets(service.api, 2);
    const before = etagOf(await list(undefined, '?limit=2'));
    await addPet(service.api);
    expect((await list(before, '?limit=2')).status).toBe(200);
  });
});

describe('HEAD /v1/pets', () => {
  it('returns 200 with the headers of GET and no body', async () => {
    await addPets(service.api, 2);
    const got = await service.api.get('/v1/pets?limit=1', { prefer: 'count=exact' });
    const head = await service.api.head('/v1/pets?limit=1', { prefer: 'count=exact' });
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['content-type', 'content-length', 'etag', 'link', 'cache-control', 'vary', 'x-total-count']) {
      expect(head.headers.get(name), name).toBe(got.headers.get(name));
    }
  });

  it('returns 304 when the tag matches', async () => {
    const response = await service.api.head('/v1/pets', { 'if-none-match': etagOf(await list()) });
    expect([response.status, response.text]).toEqual([304, '']);
  });

  it('returns 400 without a body for a query that GET rejects', async () => {
    const response = await service.api.head('/v1/pets?limit=0');
    expect([response.status, response.text]).toEqual([400, '']);
  });
});

describe('GET /v1/pets with Prefer', () => {
  it.each([
    'count=exact',
    'COUNT=exact',
    'count="exact"',
    'count = exact',
    'respond-async, count=exact',
    'count=exact; a=b, wait=9',
  ])('returns the number of all pets for Prefer: %s', async (prefer) => {
    await addPets(service.api, 3);
    const { headers } = await service.api.get('/v1/pets?limit=1', { prefer });
    expect(headers.get('x-total-count')).toBe('3');
    expect(headers.get('preference-applied')).toBe('count=exact');
  });

  it.each([
    '',
    'count',
    'count=',
    'count=estimated',
    'count=exactly',
    'discount=exact',
    'count=none, count=exact',
    'a; count=exact',
    'count="exact',
  ])('returns no number for Prefer: %s', async (prefer) => {
    const { status, headers } = await service.api.get('/v1/pets', { prefer });
    expect(status).toBe(200);
    expect([headers.get('x-total-count'), headers.get('preference-applied')]).toEqual([null, null]);
  });

  it('returns no number without Prefer', async () => {
    const { headers } = await service.api.get('/v1/pets');
    expect([headers.get('x-total-count'), headers.get('preference-applied')]).toEqual([null, null]);
  });

  it('counts the pets that match the filter, on all pages', async () => {
    const [first] = await addPets(service.api, 3, { status: 'sold' });
    await addPet(service.api);
    const count = async (query: string) => {
      const { headers } = await service.api.get(`/v1/pets?${query}`, { prefer: 'count=exact' });
      return headers.get('x-total-count');
    };
    const { headers } = await service.api.get('/v1/pets?limit=2&status=sold');
    const after = /after=([\w-]+)/.exec(headers.get('link') ?? '')?.[1];
    expect(await count('')).toBe('4');
    expect(await count('status=sold')).toBe('3');
    expect(await count('status=pending')).toBe('0');
    expect(await count(`limit=2&status=sold&after=${after}`)).toBe('3');
    expect(await count(`id=${first?.id}`)).toBe('1');
    expect(await count(`id=${first?.id}&status=pending`)).toBe('0');
  });

  it('returns 304 with the number when the page is unchanged', async () => {
    const etag = etagOf(await list());
    const response = await service.api.get('/v1/pets', { prefer: 'count=exact', 'if-none-match': etag });
    expect([response.status, response.headers.get('x-total-count')]).toEqual([304, '0']);
  });
});
