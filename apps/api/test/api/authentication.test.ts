import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.js';
import { type RawResponse, sendOne, sendRaw } from '../support/raw-http.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp({ authFailuresPerMinute: 100_000 });
});
afterAll(() => service.close());

const unknownKey = `psk_${'x'.repeat(43)}`;

function send(method: string, target: string, headers: string[] = [], body = ''): Promise<RawResponse> {
  return sendOne(service.url, `${method} ${target} HTTP/1.1`, headers, body);
}

function withAuthorization(value: string): Promise<RawResponse> {
  return send('GET', '/v1/pets', [`Authorization: ${value}`]);
}

/** Without a key, then with an unknown key. */
async function expectUnauthorized(method: string, target: string, headers: string[] = [], body = ''): Promise<void> {
  const request = `${method} ${target}`;
  const missing = await send(method, target, headers, body);
  expect([request, missing.status, missing.headers.get('www-authenticate')]).toEqual([
    request,
    401,
    'Bearer realm="petstore"',
  ]);
  const wrong = await send(method, target, [...headers, `Authorization: Bearer ${unknownKey}`], body);
  expect([request, wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
    request,
    401,
    'Bearer realm="petstore", error="invalid_token"',
  ]);
  if (method === 'HEAD') return;
  expectError(missing, 'missing_api_key');
  expectError(wrong, 'invalid_api_key');
}

/** Every path of the router, with its parameters filled in. */
function knownPaths(): string[] {
  const fastify: FastifyInstance = service.app.getHttpAdapter().getInstance();
  const above: string[] = [];
  const lines = fastify.printRoutes({ commonPrefix: false }).trim().split('\n');
  return lines.map((line) => {
    const [, indent = '', part = ''] = /^(.*[├└]── )(\S+) \(/.exec(line) ?? [];
    const depth = indent.length / 4;
    above.splice(depth - 1, Infinity, part);
    return above.join('').replace('//', '/').replace(/:\w+/, '1');
  });
}

describe('the API without a valid key', () => {
  it.each(METHODS.filter((method) => method !== 'OPTIONS'))(
    'returns 401 to %s on every path, known or unknown',
    async (method) => {
      for (const path of ['/v1/pets', '/v1/pets/1', '/v1/store/orders', '/v1']) await expectUnauthorized(method, path);
    },
  );

  it.each([
    '/v1/',
    '/v1/pets/',
    '/v1/Pets',
    '/v1?x=1',
    '/v1#x',
    '/v1/pets?limit=0',
    '/v1/pets?limit=%zz',
    '/v1/pets/not-an-id',
    '/%76%31/pets',
    '/v1%2Fpets',
    '/v1/%zz',
    '/%76%31/%zz',
    '/v1/%ff',
    'http://petstore.example/v1/pets',
    'HTTPS://petstore.example/v1/nothing',
    'http://petstore.example/v1/%zz',
    'http://petstore.example/v1/pets#x',
    'http://petstore.example:port/v1/pets',
    'http:///v1/pets',
  ])('returns 401 to GET %s', (target) => expectUnauthorized('GET', target));

  it.each([
    ['text/plain', 'a name'],
    ['application/json', '{'],
    ['application/json', '\xff'],
    ['multipart/form-data', ''],
    ['', '{}'],
  ])('returns 401 before it validates a body of type "%s" with %j', async (type, body) => {
    const headers = [`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body)}`];
    for (const path of ['/v1/pets', '/v1/nothing']) await expectUnauthorized('POST', path, headers, body);
  });

  it('returns 401 before it checks the size of a body', () =>
    expectUnauthorized('POST', '/v1/pets', ['Content-Type: application/json', 'Content-Length: 100000000']));

  it('returns 401 before it requires the Host header', async () => {
    const [response] = await sendRaw(service.url, 'GET /v1/pets HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(response && expectError(response, 'missing_api_key')).toBeTruthy();
  });

  it.each(['/v1/pets', '/v1/pets/1'])('returns 204 to OPTIONS %s, which is public', async (path) => {
    expect((await send('OPTIONS', path)).status).toBe(204);
  });
});

describe('a path outside the API that requires a key', () => {
  it.each(METHODS.filter((method) => method !== 'OPTIONS'))('returns 401 to %s without a valid key', async (method) => {
    for (const path of ['/key.json', '/categories.json', '/%6bey.json']) await expectUnauthorized(method, path);
  });

  it('returns 401 to a browser that opens it, not the page of the admin', () =>
    expectUnauthorized('GET', '/key.json', ['Accept: text/html']));
});

describe('the routes of the service', () => {
  it('require a key, except the public ones', async () => {
    const responses = await Promise.all(knownPaths().map(async (path) => ({ path, ...(await send('GET', path)) })));
    const pathsThat = (areOpen: boolean) =>
      responses.filter(({ status }) => (status !== 401) === areOpen).map(({ path }) => path);
    expect(pathsThat(false)).toEqual(
      expect.arrayContaining(['/categories.json', '/key.json', '/v1/pets', '/v1/pets/1']),
    );
    // The admin's files are public too. Their names contain a dot.
    const openPaths = pathsThat(true).filter((path) => !path.includes('.') || path === '/openapi.json');
    expect(openPaths.toSorted()).toEqual(['/', '/docs', '/healthz', '/openapi.json', '/readyz']);
  });
});

describe('the Authorization header', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('accepts the scheme %s', async (scheme) => {
    expect((await withAuthorization(`${scheme} ${service.key}`)).status).toBe(200);
  });

  it('accepts several spaces after the scheme and around the value', async () => {
    expect((await withAuthorization(`  Bearer    ${service.key}  `)).status).toBe(200);
  });

  it.each(['', '   ', 'Bearer', 'Bearer   ', 'Basic dXNlcjpwYXNz', 'Digest x', 'Token abc', 'Bearerabc', unknownKey])(
    'returns 401 missing_api_key to "%s", which brings no bearer key',
    async (value) => {
      const response = await withAuthorization(value);
      expect(expectError(response, 'missing_api_key')).toContain('Authorization: Bearer <API_KEY>');
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="petstore"');
    },
  );

  it.each([unknownKey, 'x', 'undefined', 'a b', '"', 'ÿ', 'x'.repeat(10_000)])(
    'returns 401 invalid_api_key for an unknown bearer key (%#)',
    async (key) => {
      const response = await withAuthorization(`Bearer ${key}`);
      expectError(response, 'invalid_api_key');
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="petstore", error="invalid_token"');
    },
  );

  it.each([
    ['with an additional letter', (key: string) => `${key}x`],
    ['with a missing letter', (key: string) => key.slice(0, -1)],
    ['in another letter case', (key: string) => key.toLowerCase()],
    ['twice', (key: string) => `${key} ${key}`],
    ['in quotes', (key: string) => `"${key}"`],
  ])('returns 401 invalid_api_key for a valid key %s', async (_how, change) => {
    expectError(await withAuthorization(`Bearer ${change(service.key)}`), 'invalid_api_key');
  });

  it.each(['/v1/pets?api_key=', '/v1/pets?access_token=', '/v1/pets?authorization=Bearer%20'])(
    'is the only place for a key: %s is ignored',
    async (target) => {
      expectError(await send('GET', `${target}${service.key}`), 'missing_api_key');
    },
  );
});

describe('the scopes of a key', () => {
  async function keyWith(...scopes: ('read' | 'write')[]): Promise<string[]> {
    const { key } = await service.keys.create('scopes', scopes, null);
    await expect.poll(async () => (await withAuthorization(`Bearer ${key}`)).status).not.toBe(401);
    return [`Authorization: Bearer ${key}`];
  }

  it('returns 403 insufficient_scope for a create without write', async () => {
    const response = await send('POST', '/v1/pets', await keyWith('read'));
    expect(expectError(response, 'insufficient_scope')).toContain('write');
  });

  it.each([
    ['application/json', '{', 1],
    ['application/json', '', 9],
    ['application/json', '', 100_000_000],
    ['text/plain', 'x', 1],
  ])('returns 403 before it reads a body of type "%s" with %j of %d bytes', async (type, body, length) => {
    const headers = [...(await keyWith('read')), `Content-Type: ${type}`, `Content-Length: ${length}`];
    expectError(await send('POST', '/v1/pets', headers, body), 'insufficient_scope');
  });

  it('returns 403 insufficient_scope for a list and a get without read', async () => {
    const headers = await keyWith('write');
    for (const path of ['/v1/pets', '/v1/pets/1']) {
      expect(expectError(await send('GET', path, headers), 'insufficient_scope')).toContain('read');
    }
  });
});
