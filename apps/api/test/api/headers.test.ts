import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiResponse } from '../support/api.js';
import { sendOne } from '../support/raw-http.js';
import { useTestApp } from '../support/test-app.js';

const service = useTestApp();
let pages: ApiResponse[];
/** One of each other kind. */
let apiResponses: ApiResponse[];

beforeAll(async () => {
  const { api, anonymous } = service;
  const paths = ['/', '/pets/42', '/docs', '/docs/page.js'];
  pages = await Promise.all(paths.map((path) => anonymous.get(path, { accept: 'text/html' })));
  apiResponses = await Promise.all([
    api.get('/v1/pets'),
    api.post('/v1/pets', { name: 'Rex', categoryId: 7 }),
    api.post('/v1/pets', '{'),
    api.get('/v1/pets/1000'),
    api.get('/v1/nothing'),
    api.get('/v1/%zz'),
    api.send('DELETE', '/v1/pets'),
    api.send('OPTIONS', '/v1/pets'),
    api.head('/v1/pets'),
    anonymous.get('/v1/pets'),
    anonymous.get('/healthz'),
    anonymous.get('/openapi.json'),
  ]);
});

const pageHeaders = {
  'content-security-policy':
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};
const absentHeaders = ['strict-transport-security', 'cross-origin-opener-policy', 'x-powered-by', 'server'];

describe('every response', () => {
  it('has the headers that restrict pages only if it is a page or a file of one', () => {
    for (const { headers } of pages) expect(Object.fromEntries(headers)).toMatchObject(pageHeaders);
    for (const { headers } of apiResponses) {
      for (const name of Object.keys(pageHeaders)) expect(headers.get(name), name).toBeNull();
    }
  });

  it('forbids to guess its type, has its own id, and no header that requires TLS or names the server software', () => {
    const responses = [...apiResponses, ...pages];
    for (const { headers } of responses) {
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      for (const absent of absentHeaders) expect(headers.get(absent)).toBeNull();
      expect(headers.get('x-request-id')).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    }
    expect(new Set(responses.map(({ headers }) => headers.get('x-request-id'))).size).toBe(responses.length);
  });

  it('with JSON has exactly the type application/json, whatever the Accept header is, and is not compressed', async () => {
    for (const accept of ['text/html', 'application/xml', 'text/plain;q=0', '']) {
      for (const path of ['/v1/pets', '/v1/pets/1000', '/v1/nothing', '/healthz', '/openapi.json']) {
        const { headers } = await service.api.get(path, { accept, 'accept-encoding': 'gzip, br' });
        expect(headers.get('content-type'), path).toBe('application/json');
        expect(headers.get('content-encoding'), path).toBeNull();
      }
    }
  });
});

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['identity', null],
  ['br;q=0, gzip;q=0', null],
  ['zstd', null],
])('a static file is sent to a client that accepts %s with the encoding %s', async (accepted, encoding) => {
  const load = (accept: string) => service.anonymous.get('/docs/swagger-ui-bundle.js', { 'accept-encoding': accept });
  const [plain, sent] = [await load('identity'), await load(accepted)];
  expect(sent.headers.get('content-encoding')).toBe(encoding);
  expect(sent.headers.get('vary')).toBe('accept-encoding');
  // `fetch` decompresses it.
  expect(sent.text === plain.text).toBe(true);
  const sizeOf = ({ headers }: ApiResponse) => Number(headers.get('content-length'));
  expect(sizeOf(plain)).toBe(Buffer.byteLength(plain.text));
  if (encoding === null) return;
  expect(sizeOf(sent)).toBeLessThan(sizeOf(plain) / 3);
  expect(sent.headers.get('etag')).not.toBe(plain.headers.get('etag'));
});

describe('X-Request-Id', () => {
  it.each(['0', 'A.b_c-9', 'x'.repeat(128)])("is the client's if it is valid: %s", async (id) => {
    for (const path of ['/v1/pets', '/v1/pets/1000', '/v1/nothing', '/v1/%zz', '/healthz']) {
      expect((await service.api.get(path, { 'x-request-id': id })).headers.get('x-request-id')).toBe(id);
    }
  });

  const invalid = [[''], ['x'.repeat(129)], ['a/b'], ['ä'], ['a', 'b']];
  it.each(invalid)('is generated if the client sends an invalid one, or two: %s %s', async (...ids) => {
    const lines = ids.map((id) => `X-Request-Id: ${id}`);
    const { headers } = await sendOne(service.url, 'GET /healthz HTTP/1.1', lines);
    expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  });
});
