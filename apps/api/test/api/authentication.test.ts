import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.js';
import { type RawAnswer, sendOne, sendRaw } from '../support/raw-http.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp({ authFailuresPerMinute: 100_000 });
});
afterAll(() => service.close());

const unknownKey = `psk_${'x'.repeat(43)}`;

function send(method: string, target: string, headers: string[] = [], body = ''): Promise<RawAnswer> {
  return sendOne(service.url, `${method} ${target} HTTP/1.1`, headers, body);
}

function withAuthorization(value: string): Promise<RawAnswer> {
  return send('GET', '/v1/pets', [`Authorization: ${value}`]);
}

/** Without a key, then with one that nobody has. */
async function expectClosed(method: string, target: string, headers: string[] = [], body = ''): Promise<void> {
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

/** Every path that the router knows, with something in place of its parameters. */
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

describe('the API without a good key', () => {
  it.each(METHODS.filter((method) => method !== 'OPTIONS'))(
    'answers 401 to %s on every path, known or not',
    async (method) => {
      for (const path of ['/v1/pets', '/v1/pets/1', '/v1/store/orders', '/v1']) await expectClosed(method, path);
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
  ])('answers 401 to GET %s', (target) => expectClosed('GET', target));

  it.each([
    ['text/plain', 'a name'],
    ['application/json', '{'],
    ['application/json', '\xff'],
    ['multipart/form-data', ''],
    ['', '{}'],
  ])('answers 401 before it judges a body of type "%s" with %j', async (type, body) => {
    const headers = [`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body)}`];
    for (const path of ['/v1/pets', '/v1/nothing']) await expectClosed('POST', path, headers, body);
  });

  it('answers 401 before it judges the size of a body', () =>
    expectClosed('POST', '/v1/pets', ['Content-Type: application/json', 'Content-Length: 100000000']));

  it('answers 401 before it misses the Host header', async () => {
    const [answer] = await sendRaw(service.url, 'GET /v1/pets HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(answer && expectError(answer, 'missing_api_key')).toBeTruthy();
  });

  it.each(['/v1/pets', '/v1/pets/1'])('answers OPTIONS %s, which asks nothing secret', async (path) => {
    expect((await send('OPTIONS', path)).status).toBe(204);
  });
});

describe('the routes of the service', () => {
  it('are closed, but for those that everybody may see', async () => {
    const answers = await Promise.all(knownPaths().map(async (path) => ({ path, ...(await send('GET', path)) })));
    const pathsThat = (areOpen: boolean) =>
      answers.filter(({ status }) => (status !== 401) === areOpen).map(({ path }) => path);
    expect(pathsThat(false)).toEqual(expect.arrayContaining(['/v1/pets', '/v1/pets/1']));
    // Except the files of the pages, which have a dot in their names. A new route must not be open.
    const openPaths = pathsThat(true).filter((path) => !path.includes('.') || path === '/openapi.json');
    expect(openPaths.toSorted()).toEqual(['/', '/docs', '/healthz', '/openapi.json', '/readyz']);
  });
});

describe('the Authorization header', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('takes the scheme as %s', async (scheme) => {
    expect((await withAuthorization(`${scheme} ${service.key}`)).status).toBe(200);
  });

  it('takes several spaces behind the scheme, and around', async () => {
    expect((await withAuthorization(`  Bearer    ${service.key}  `)).status).toBe(200);
  });

  it.each(['', '   ', 'Bearer', 'Bearer   ', 'Basic dXNlcjpwYXNz', 'Digest x', 'Token abc', 'Bearerabc', unknownKey])(
    'answers 401 missing_api_key to "%s", which brings no bearer key',
    async (value) => {
      const answer = await withAuthorization(value);
      expect(expectError(answer, 'missing_api_key')).toContain('Authorization: Bearer <API_KEY>');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="petstore"');
    },
  );

  it.each([unknownKey, 'x', 'undefined', 'a b', '"', 'ÿ', 'x'.repeat(10_000)])(
    'answers 401 invalid_api_key to a bearer key that nobody has (%#)',
    async (key) => {
      const answer = await withAuthorization(`Bearer ${key}`);
      expectError(answer, 'invalid_api_key');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="petstore", error="invalid_token"');
    },
  );

  it.each([
    ['with a letter more', (key: string) => `${key}x`],
    ['with a letter less', (key: string) => key.slice(0, -1)],
    ['in another letter case', (key: string) => key.toLowerCase()],
    ['twice', (key: string) => `${key} ${key}`],
    ['in quotes', (key: string) => `"${key}"`],
  ])('answers 401 invalid_api_key to a good key %s', async (_how, change) => {
    expectError(await withAuthorization(`Bearer ${change(service.key)}`), 'invalid_api_key');
  });

  it.each(['/v1/pets?api_key=', '/v1/pets?access_token=', '/v1/pets?authorization=Bearer%20'])(
    'is the only place for a key: %s is not',
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

  it('answer 403 insufficient_scope to a post without write', async () => {
    const answer = await send('POST', '/v1/pets', await keyWith('read'));
    expect(expectError(answer, 'insufficient_scope')).toContain('write');
  });

  it.each([
    ['application/json', '{', 1],
    ['application/json', '', 9],
    ['application/json', '', 100_000_000],
    ['text/plain', 'x', 1],
  ])('answer 403 before a body of type "%s" with %j of %d bytes is read', async (type, body, length) => {
    const headers = [...(await keyWith('read')), `Content-Type: ${type}`, `Content-Length: ${length}`];
    expectError(await send('POST', '/v1/pets', headers, body), 'insufficient_scope');
  });

  it('answer 403 insufficient_scope to a list and a get without read', async () => {
    const headers = await keyWith('write');
    for (const path of ['/v1/pets', '/v1/pets/1']) {
      expect(expectError(await send('GET', path, headers), 'insufficient_scope')).toContain('read');
    }
  });
});
