import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { ApiKeyRing } from '../../src/features/api-keys/api-key-ring.js';
import { expectError } from '../support/expect-error.js';
import { type RawResponse, sendOne } from '../support/raw-http.js';
import { useTestApp } from '../support/test-app.js';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

const service = useTestApp();

const unknownKey = `psk_${'x'.repeat(43)}`;

function send(method: string, target: string, headers: string[] = [], body = ''): Promise<RawResponse> {
  return sendOne(service.url, `${method} ${target} HTTP/1.1`, headers, body);
}

function withAuthorization(value: string): Promise<RawResponse> {
  return send('GET', '/v1/pets', [`Authorization: ${value}`]);
}

/** Sends the request without a key, then with an unknown one. */
async function expectUnauthorized(method: string, target: string, headers: string[] = [], body = ''): Promise<void> {
  const missing = await send(method, target, headers, body);
  const wrong = await send(method, target, [...headers, `Authorization: Bearer ${unknownKey}`], body);
  expect({ missing, wrong }, `${method} ${target}`).toMatchObject({ missing: { status: 401 }, wrong: { status: 401 } });
  expect(missing.headers.get('www-authenticate')).toBe('Bearer realm="petstore"');
  expect(wrong.headers.get('www-authenticate')).toBe('Bearer realm="petstore", error="invalid_token"');
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

describe('a request without a valid key', () => {
  it.each(methods)('gets 401 to %s on every path that requires a key, known or unknown', async (method) => {
    for (const path of ['/v1/pets', '/v1/pets/1', '/v1/store/orders', '/v1', '/key.json', '/categories.json']) {
      await expectUnauthorized(method, path);
    }
  });

  it.each([
    '/v1/',
    '/v1/Pets',
    '/v1?x=1',
    '/v1#x',
    '/v1/pets?limit=%zz',
    '/v1/pets/not-an-id',
    '/%76%31/pets',
    '/v1%2Fpets',
    '/v1/%zz',
    '/%76%31/%zz',
    '/%6bey.json',
    'http://petstore.example/v1/pets',
    'http://petstore.example/v1/nothing',
  ])('gets 401 to GET %s', (target) => expectUnauthorized('GET', target));

  it.each([
    ['text/plain', 'a name', 6],
    ['application/json', '{', 1],
    ['application/json', '', 100_000_000],
    ['', '{}', 2],
  ])('gets 401 before the service reads a body of type "%s" with %j of %d bytes', async (type, body, length) => {
    const headers = [`Content-Type: ${type}`, `Content-Length: ${length}`];
    for (const path of ['/v1/pets', '/v1/nothing']) await expectUnauthorized('POST', path, headers, body);
  });

  it('gets 401 as a browser too, not the page of the admin', () =>
    expectUnauthorized('GET', '/key.json', ['Accept: text/html']));

  it('gets a response other than 401 only on the public routes', async () => {
    const open: string[] = [];
    for (const path of knownPaths()) if ((await send('GET', path)).status !== 401) open.push(path);
    // The files of the admin and of Swagger UI are public too.
    const isFile = (path: string) => path.startsWith('/docs/') || (path.includes('.') && path !== '/openapi.json');
    expect(open.filter((path) => !isFile(path)).toSorted()).toEqual([
      '/',
      '/docs',
      '/healthz',
      '/openapi.json',
      '/readyz',
    ]);
  });
});

describe('the Authorization header', () => {
  it.each(['Bearer ', 'bearer ', 'bEaReR ', '  Bearer    '])('accepts the scheme "%s"', async (scheme) => {
    expect((await withAuthorization(`${scheme}${service.key}  `)).status).toBe(200);
  });

  it('may bring a key with commas: repeated headers are joined by a comma and a space', async () => {
    const key = 'my,own,key;with="everything"';
    await service.keys.setBootstrapKey(key);
    await service.app.get(ApiKeyRing).reload();
    expect((await withAuthorization(`Bearer ${key}`)).status).toBe(200);
  });

  const withoutKey = ['', 'Bearer', 'Bearer   ', 'Basic dXNlcjpwYXNz', 'Bearerabc', unknownKey];
  it.each(withoutKey)('returns 401 missing_api_key to "%s", which brings no bearer key', async (value) => {
    const response = await withAuthorization(value);
    expect(expectError(response, 'missing_api_key')).toContain('Authorization: Bearer <API_KEY>');
  });

  const unknown = 'This API key is unknown, expired or revoked.';
  const word = 'This API key begins with `Bearer`. Send the word once';
  it.each([
    ['not ASCII', () => 'ÿ', unknown],
    ['long', () => 'x'.repeat(10_000), unknown],
    ['a valid one with an additional letter', (key: string) => `${key}x`, unknown],
    ['a valid one in another letter case', (key: string) => key.toLowerCase(), unknown],
    ['a valid one in quotes', (key: string) => `"${key}"`, unknown],
    ['preceded by the word in capitals', () => `BEARER ${unknownKey}`, word],
    ['preceded by the word twice', () => ` Bearer  Bearer ${unknownKey}`, word],
  ])('returns 401 invalid_api_key for a key that is %s', async (_what, change, message) => {
    const response = await withAuthorization(`Bearer ${change(service.key)}`);
    expect(expectError(response, 'invalid_api_key')).toContain(message);
  });

  const parameters = ['api_key=', 'access_token=', 'authorization=Bearer%20'];
  it.each(parameters)('is the only place for a key: ?%s is ignored', async (parameter) => {
    expectError(await send('GET', `/v1/pets?${parameter}${service.key}`), 'missing_api_key');
  });
});

describe('the scopes of a key', () => {
  const keyWith = async (scope: 'read' | 'write') => `Authorization: Bearer ${await service.newKey(scope)}`;

  it.each([
    ['application/json', '{', 1],
    ['application/json', '', 100_000_000],
    ['text/plain', 'x', 1],
  ])('returns 403 to a create without write, before it reads "%s" with %j of %d bytes', async (type, body, length) => {
    const headers = [await keyWith('read'), `Content-Type: ${type}`, `Content-Length: ${length}`];
    const response = await send('POST', '/v1/pets', headers, body);
    expect(expectError(response, 'insufficient_scope')).toContain('write');
    const challenge = 'Bearer realm="petstore", error="insufficient_scope", scope="write"';
    expect(response.headers.get('www-authenticate')).toBe(challenge);
  });

  it.each(['/v1/pets', '/v1/pets/1', '/categories.json'])('returns 403 to GET %s without read', async (path) => {
    const response = await send('GET', path, [await keyWith('write')]);
    expect(expectError(response, 'insufficient_scope')).toContain('read');
  });

  it('returns 404 and 405, not 403, where no operation is', async () => {
    const key = [await keyWith('read')];
    expectError(await send('POST', '/v1/nothing', key), 'route_not_found');
    expectError(await send('PUT', '/v1/pets', key), 'method_not_allowed');
  });
});
