import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeyRing } from '../../src/features/api-keys/api-key-ring.js';
import { Api } from '../support/api.js';
import { expectError } from '../support/expect-error.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.close());

describe('GET /key.json', () => {
  it('returns the key of the request, without the key itself', async () => {
    const { status, json, headers, text } = await service.api.get('/key.json');
    expect([status, json]).toEqual([200, { id: 1n, name: 'test', scopes: ['read', 'write'], expiresAt: null }]);
    expect(headers.get('content-type')).toBe('application/json');
    expect(text).not.toContain(service.key);
  });

  it.each(['read', 'write'] as const)('accepts a key with only the scope %s, and returns its expiry', async (scope) => {
    const expiresAt = new Date('2100-01-02T03:04:05.678Z');
    const { id, key } = await service.keys.create('front desk', [scope], expiresAt);
    await service.app.get(ApiKeyRing).reload();
    expect((await new Api(service.url, key).get('/key.json')).json).toEqual({
      id: BigInt(id),
      name: 'front desk',
      scopes: [scope],
      expiresAt: '2100-01-02T03:04:05.678Z',
    });
  });

  it('returns 401 to an expired key', async () => {
    const { key } = await service.keys.create('expired', ['read'], new Date(0));
    await service.app.get(ApiKeyRing).reload();
    expectError(await new Api(service.url, key).get('/key.json'), 'invalid_api_key');
  });

  it('returns 304 while nothing changed, privately', async () => {
    const { headers } = await service.api.get('/key.json');
    const etag = headers.get('etag') ?? '';
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['private, no-cache', 'Authorization']);
    const again = await service.api.get('/key.json', { 'if-none-match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('is not in the OpenAPI document', async () => {
    const { json } = await service.api.get('/openapi.json');
    const { paths } = json as { paths: object };
    expect(Object.keys(paths)).toEqual(['/pets', '/pets/{petId}']);
  });
});

describe('HEAD /key.json', () => {
  it('returns the headers without the body', async () => {
    const [head, get] = [await service.api.head('/key.json'), await service.api.get('/key.json')];
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', get.headers.get('etag')]);
  });
});
