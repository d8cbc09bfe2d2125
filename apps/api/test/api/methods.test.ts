import { describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.js';
import { type RawResponse, sendOne } from '../support/raw-http.js';
import { useTestApp } from '../support/test-app.js';

const service = useTestApp();

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Sends a request with a valid key, and with a body if one is given. */
function send(method: string, target: string, body?: string, type = 'application/json'): Promise<RawResponse> {
  const headers = [`Authorization: Bearer ${service.key}`];
  if (body !== undefined) headers.push(`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body)}`);
  return sendOne(service.url, `${method} ${target} HTTP/1.1`, headers, body);
}

/** Sends a request without a body, with one that is not JSON, and with one of another type. */
async function withBodies(method: string, target: string): Promise<RawResponse[]> {
  return [await send(method, target), await send(method, target, '{'), await send(method, target, 'x', 'text/plain')];
}

const readOnly = ['/healthz', '/readyz', '/openapi.json', '/key.json', '/categories.json', '/docs', '/v1/pets/1'];

describe.each([
  ['/v1/pets', 'GET, HEAD, POST, OPTIONS'],
  ...readOnly.map((path): [string, string] => [path, 'GET, HEAD, OPTIONS']),
])('%s has the methods %s: with a body and without', (path, allow) => {
  it('returns 405 to the others', async () => {
    for (const method of methods.filter((other) => !allow.includes(other))) {
      for (const response of await withBodies(method, path)) {
        expect(expectError(response, 'method_not_allowed')).toBe(
          `Method ${method} is not allowed. Allowed: ${allow.replace(', OPTIONS', '')}.`,
        );
        expect(response.headers.get('allow')).toBe(allow);
      }
    }
  });

  it('returns 204 to OPTIONS, also without a key', async () => {
    const responses = [...(await withBodies('OPTIONS', path)), await sendOne(service.url, `OPTIONS ${path} HTTP/1.1`)];
    for (const response of responses) {
      expect(response).toMatchObject({ status: 204, text: '' });
      expect(response.headers.get('allow')).toBe(allow);
      expect(response.headers.get('x-request-id')).toBeTruthy();
    }
  });
});

const unknown = [
  '/v1',
  '/v1/',
  '/v1/PETS',
  '/v1//pets',
  '/v1/store/orders',
  '/Healthz',
  '/docs/',
  '/docs/..%2findex.html',
];
it.each(unknown)('an unknown path returns 404 route_not_found: %s', async (path) => {
  expectError(await send('GET', path), 'route_not_found');
});

it.each(methods)('an unknown path returns 404 to %s with any body', async (method) => {
  for (const path of ['/v1/nothing', '/v1/pets/', '/nothing']) {
    for (const response of await withBodies(method, path)) {
      if (method === 'HEAD') expect(response).toMatchObject({ status: 404, text: '' });
      else expectError(response, 'route_not_found');
    }
  }
});

const undecodable = ['/healthz?x=%zz', '/v1/pets?limit=%', '/v1/pets?q=%C3%28', '/v1/pets/1?%ff', '/%'];
it.each(undecodable)('a target that cannot be decoded returns 400 bad_request: %s', async (target) => {
  expect(expectError(await send('GET', target), 'bad_request')).toContain('percent-encoding');
});

it('a slash at the end of the query is not one of the path', async () => {
  expect((await send('GET', '/v1/pets?q=rex/')).status).toBe(200);
});
