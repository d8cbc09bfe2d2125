import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiResponse } from '../support/api.js';
import { addPet, addPets } from '../support/pets.js';
import { useTestApp } from '../support/test-app.js';

const service = useTestApp();
beforeEach(() => service.sql('TRUNCATE pet CASCADE'));

function etagOf({ headers }: ApiResponse): string {
  return headers.get('etag') ?? '';
}

function list(ifNoneMatch?: string, query = ''): Promise<ApiResponse> {
  return service.api.get(`/v1/pets${query}`, ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch });
}

describe('GET /v1/pets with If-None-Match', () => {
  it('returns 200 with a strong ETag and Cache-Control, then 304 with the same headers and no body', async () => {
    await addPets(service.api, 2);
    const response = await list(undefined, '?limit=1');
    expect(etagOf(response)).toMatch(/^"[A-Za-z0-9_-]+"$/);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(response.headers.get('vary')).toBe('Authorization, Prefer');
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

  it('returns 200 when the tag is different or missing', async () => {
    const etag = etagOf(await list());
    for (const value of ['"other"', etag.slice(1, -1), `${etag.slice(0, -1)}x"`, '', '""', ',']) {
      expect((await list(value)).status, value).toBe(200);
    }
  });

  it('returns 200 with a new tag after a pet was created, also when only the next page is new', async () => {
    await addPets(service.api, 2);
    const [all, full] = [await list(), await list(undefined, '?limit=2')];
    await addPet(service.api);
    const response = await list(etagOf(all));
    expect(response.status).toBe(200);
    expect(etagOf(response)).not.toBe(etagOf(all));
    expect((await list(etagOf(full), '?limit=2')).status).toBe(200);
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
});
