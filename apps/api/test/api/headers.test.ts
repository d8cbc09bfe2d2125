import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../support/api.js';
import { sendOne } from '../support/raw-http.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.close());

/** One of each kind of answer. */
const answers = () =>
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

describe('every answer', () => {
  it('has the security headers, and none that asks for TLS or tells what runs here', async () => {
    for (const { headers } of await answers()) {
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
    const origins = (await answers()).map(({ headers }) => headers.get('access-control-allow-origin'));
    expect(origins.filter((origin) => origin !== null)).toEqual(['*']);
  });

  it('that is JSON is application/json and nothing more, whatever is accepted', async () => {
    for (const accept of ['text/html', 'application/xml', 'text/plain;q=0', '*/*', '']) {
      for (const path of ['/v1/pets', '/v1/pets/1000', '/v1/nothing', '/healthz', '/openapi.json']) {
        expect((await service.api.get(path, { accept })).headers.get('content-type')).toBe('application/json');
      }
    }
  });

  it('is sent as it is, without compression', async () => {
    const { headers } = await service.api.get('/v1/pets', { 'accept-encoding': 'gzip, br' });
    expect(headers.get('content-encoding')).toBeNull();
  });
});

describe('X-Request-Id', () => {
  it('is made for each request', async () => {
    const ids = (await answers()).map(({ headers }) => headers.get('x-request-id') ?? '');
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(['a', 'order-7', '0', 'A.b_c-9', 'x'.repeat(128)])(
    'is that of the client when it can be used: %s',
    async (id) => {
      for (const path of ['/v1/pets', '/v1/pets/1000', '/v1/nothing', '/v1/%zz', '/healthz']) {
        expect((await service.api.get(path, { 'x-request-id': id })).headers.get('x-request-id')).toBe(id);
      }
    },
  );

  it.each(['', ' ', 'x'.repeat(129), 'a b', 'a/b', 'ä', 'a,b', '{}', '"a"'])(
    'is a new one when that of the client cannot be used: "%s"',
    async (id) => {
      const { headers } = await sendOne(service.url, 'GET /healthz HTTP/1.1', [`X-Request-Id: ${id}`]);
      expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    },
  );

  it('is a new one when the client sends two', async () => {
    const { headers } = await sendOne(service.url, 'GET /healthz HTTP/1.1', ['X-Request-Id: a', 'X-Request-Id: b']);
    expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  });
});
