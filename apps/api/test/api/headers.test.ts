import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../support/api.js';
import { sendOne } from '../support/raw-http.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.close());

/** One response of each kind. */
const responses = () =>
  Promise.all([
    service.api.get('/v1/pets'),
    service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 }),
    service.api.post('/v1/pets', '{'),
    service.api.get('/v1/pets/1000'),
    service.api.get('/v1/nothing'),
    service.api.get('/v1/%zz'),
    service.api.send('DELETE', '/v1/pets'),
    service.api.send('OPTIONS', '/v1/pets'),
    service.api.head('/v1/pets'),
    new Api(service.url).get('/v1/pets'),
    new Api(service.url).get('/healthz'),
    new Api(service.url).get('/docs'),
    new Api(service.url).get('/docs/init.js'),
    new Api(service.url).get('/openapi.json'),
    new Api(service.url).get('/'),
  ]);

const policy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";
const permissions = 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()';
const absentHeaders = ['strict-transport-security', 'cross-origin-opener-policy', 'x-powered-by', 'server'];

describe('every response', () => {
  it('has the security headers, and none that requires TLS or names the server software', async () => {
    for (const { headers } of await responses()) {
      expect(headers.get('content-security-policy')).toBe(policy);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('permissions-policy')).toBe(permissions);
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      for (const absent of absentHeaders) expect(headers.get(absent)).toBeNull();
    }
  });

  it('is closed to other origins, except the OpenAPI document', async () => {
    const origins = (await responses()).map(({ headers }) => headers.get('access-control-allow-origin'));
    expect(origins.filter((origin) => origin !== null)).toEqual(['*']);
  });

  it('with JSON has exactly the type application/json, whatever the Accept header is', async () => {
    for (const accept of ['text/html', 'application/xml', 'text/plain;q=0', '*/*', '']) {
      for (const path of ['/v1/pets', '/v1/pets/1000', '/v1/nothing', '/healthz', '/openapi.json']) {
        expect((await service.api.get(path, { accept })).headers.get('content-type')).toBe('application/json');
      }
    }
  });

  it('is not compressed', async () => {
    const { headers } = await service.api.get('/v1/pets', { 'accept-encoding': 'gzip, br' });
    expect(headers.get('content-encoding')).toBeNull();
  });
});

describe('X-Request-Id', () => {
  it('is generated for each request', async () => {
    const ids = (await responses()).map(({ headers }) => headers.get('x-request-id') ?? '');
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(['a', 'order-7', '0', 'A.b_c-9', 'x'.repeat(128)])("is the client's if it is valid: %s", async (id) => {
    for (const path of ['/v1/pets', '/v1/pets/1000', '/v1/nothing', '/v1/%zz', '/healthz']) {
      expect((await service.api.get(path, { 'x-request-id': id })).headers.get('x-request-id')).toBe(id);
    }
  });

  it.each(['', ' ', 'x'.repeat(129), 'a b', 'a/b', 'ä', 'a,b', '{}', '"a"'])(
    'is generated if the client\'s is invalid: "%s"',
    async (id) => {
      const { headers } = await sendOne(service.url, 'GET /healthz HTTP/1.1', [`X-Request-Id: ${id}`]);
      expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    },
  );

  it('is generated when the client sends two', async () => {
    const { headers } = await sendOne(service.url, 'GET /healthz HTTP/1.1', ['X-Request-Id: a', 'X-Request-Id: b']);
    expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  });
});
