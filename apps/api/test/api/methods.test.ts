import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.js';
import { type RawResponse, sendOne } from '../support/raw-http.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.close());

/** Sends a request with a valid key, and with a body if one is given. */
function send(method: string, target: string, body?: string, type = 'application/json'): Promise<RawResponse> {
  const headers = [`Authorization: Bearer ${service.key}`];
  if (body !== undefined) headers.push(`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body)}`);
  return sendOne(service.url, `${method} ${target} HTTP/1.1`, headers, body);
}

const methodsOf = {
  '/v1/pets': 'GET, HEAD, POST, OPTIONS',
  '/v1/pets/1': 'GET, HEAD, OPTIONS',
  '/healthz': 'GET, HEAD, OPTIONS',
  '/readyz': 'GET, HEAD, OPTIONS',
  '/openapi.json': 'GET, HEAD, OPTIONS',
  '/key.json': 'GET, HEAD, OPTIONS',
  '/categories.json': 'GET, HEAD, OPTIONS',
  '/docs': 'GET, HEAD, OPTIONS',
};
const known = Object.entries(methodsOf).map(([path, allow]) => ({ path, allow }));

describe.each(known)('any other method on $path', ({ path, allow }) => {
  it.each(METHODS.filter((method) => !allow.includes(method)))(
    'returns 405 to %s, with a body and without',
    async (method) => {
      const responses = [
        await send(method, path),
        await send(method, path, '{', 'application/json'),
        await send(method, path, 'x', 'text/plain'),
      ];
      for (const response of responses) {
        expect(expectError(response, 'method_not_allowed')).toBe(
          `Method ${method} is not allowed. Allowed: ${allow.replace(', OPTIONS', '')}.`,
        );
        expect(response.headers.get('allow')).toBe(allow);
      }
    },
  );

  it('returns 204 to OPTIONS with Allow, with a body and without', async () => {
    for (const response of [await send('OPTIONS', path), await send('OPTIONS', path, 'x', 'text/plain')]) {
      expect([response.status, response.text, response.headers.get('allow')]).toEqual([204, '', allow]);
      expect(response.headers.get('x-request-id')).toBeTruthy();
    }
  });
});

describe('an unknown path', () => {
  it.each([
    '/v1',
    '/v1/',
    '/v1/pets/',
    '/v1/pets/1/',
    '/v1/pets/1/2',
    '/v1/PETS',
    '/V1/pets',
    '//v1/pets',
    '/v1//pets',
    '/v1/store/orders',
    '/v1/../healthz',
  ])('returns 404 route_not_found to GET %s', async (path) => {
    expectError(await send('GET', path), 'route_not_found');
  });

  it.each([
    '/nothing',
    '/healthz/',
    '/Healthz',
    '/docs/',
    '/docs/nothing.js',
    '/openapi.json/',
    '/key.json/',
    '/Key.json',
    '/categories.json/',
    '/categories',
    '/docs/..%2findex.html',
    '*',
    '/unroutable',
  ])('returns 404 route_not_found to GET %s, outside the API', async (path) => {
    expectError(await send('GET', path), 'route_not_found');
  });

  it.each(METHODS.filter((method) => method !== 'HEAD'))('returns 404 to %s with any body', async (method) => {
    for (const path of ['/v1/nothing', '/v1/pets/', '/nothing']) {
      expectError(await send(method, path), 'route_not_found');
      expectError(await send(method, path, '{'), 'route_not_found');
      expectError(await send(method, path, 'x', 'text/plain'), 'route_not_found');
    }
  });

  it('returns 404 to HEAD without a body', async () => {
    const { status, text } = await send('HEAD', '/v1/nothing');
    expect([status, text]).toEqual([404, '']);
  });

  it('returns 404 to CONNECT, which requests a proxy', async () => {
    expectError(await send('CONNECT', 'petstore.example:443'), 'route_not_found');
  });
});

describe('OPTIONS *', () => {
  it('returns 204 with every method of the service', async () => {
    const { status, headers } = await send('OPTIONS', '*');
    expect([status, headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
  });
});

describe('a target that cannot be decoded', () => {
  it.each([
    '/healthz?x=%zz',
    '/?x=%zz',
    '/v1/pets/1?%ff',
    '/v1/nothing?%',
    '/%zz',
    '/%',
    '/%e0%a4%a',
    '/%ff',
    '/v1/pets/%zz',
    'http://petstore.example/%zz',
  ])('returns 400 bad_request to GET %s', async (path) => {
    expect(expectError(await send('GET', path), 'bad_request')).toContain('percent-encoding');
  });

  it.each(METHODS.filter((method) => method !== 'HEAD'))('returns 400 bad_request to %s', async (method) => {
    expectError(await send(method, '/v1/%zz'), 'bad_request');
  });
});

describe('a target in absolute form', () => {
  it.each(['http://petstore.example/v1/pets', 'HTTP://petstore.example:3000/v1/pets?limit=1'])(
    'returns the same as its path to GET %s',
    async (target) => {
      expect((await send('GET', target)).status).toBe(200);
    },
  );

  it.each(['http://a:port/v1/pets', 'http:///v1/pets', 'http://?x', 'http://[::1/v1/pets', 'https://@/v1/pets'])(
    'returns 400 bad_request to GET %s, which is not a URL, without repeating it',
    async (target) => {
      const response = await send('GET', `${target}?secret`);
      expect(expectError(response, 'bad_request')).toContain('not a valid URL');
      expect(response.text).not.toContain('secret');
      expect(response.headers.get('x-request-id')).toBeTruthy();
    },
  );
});
