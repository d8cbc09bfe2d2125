import type { ErrorCode } from '@petstore/contracts';
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.js';
import { startTestApp, useTestApp } from '../support/test-app.js';

const shop = 'https://shop.example.com';
const desk = 'http://localhost:5173';

const exposed =
  'Deprecation ETag Idempotency-Replayed Link Location Preference-Applied RateLimit RateLimit-Policy Retry-After ' +
  'Sunset X-Request-Id X-Total-Count';
const accepted = 'Authorization Content-Type Idempotency-Key If-None-Match Prefer X-Request-Id traceparent tracestate';

/** A list in a header, sorted. */
const listIn = (headers: Headers, name: string) => headers.get(name)?.split(', ').toSorted();

describe('with CORS_ORIGINS, a page', () => {
  const service = useTestApp({ corsOrigins: [shop, desk] });

  it.each([shop, desk])(
    'of a listed origin may read every response with every header of the contract: %s',
    async (origin) => {
      const responses = [
        await service.api.get('/v1/pets', { origin }),
        await service.api.post('/v1/pets', '{', { origin }),
        await service.api.get('/v1/nothing', { origin }),
        await service.anonymous.get('/v1/pets', { origin }),
        await service.anonymous.get('/v1/%zz', { origin }),
      ];
      for (const { headers } of responses) {
        expect(headers.get('access-control-allow-origin')).toBe(origin);
        expect(headers.get('vary')).toContain('Origin');
        expect(headers.get('access-control-allow-credentials')).toBeNull();
        expect(listIn(headers, 'access-control-expose-headers')).toEqual(exposed.split(' '));
      }
    },
  );

  it.each([
    ['/v1/pets', 'GET, HEAD, POST'],
    ['/v1/pets/1', 'GET, HEAD'],
  ])(
    'of a listed origin receives the methods of a path from a preflight request without a key: OPTIONS %s',
    async (path, methods) => {
      const preflight = {
        origin: shop,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      };
      const { status, headers } = await service.anonymous.send('OPTIONS', path, { headers: preflight });
      expect(status).toBe(204);
      expect(Object.fromEntries(headers)).toMatchObject({
        allow: `${methods}, OPTIONS`,
        'access-control-allow-origin': shop,
        'access-control-allow-methods': methods,
        'access-control-max-age': '86400',
      });
      expect(listIn(headers, 'access-control-allow-headers')).toEqual(accepted.split(' '));
    },
  );

  it.each<[string, ErrorCode]>([
    ['/nope', 'route_not_found'],
    ['/v1/nope', 'route_not_found'],
    ['/%zz', 'bad_request'],
  ])('receives the error of an unknown path from a preflight request: OPTIONS %s', async (path, code) => {
    expectError(await service.anonymous.send('OPTIONS', path, { headers: { origin: shop } }), code);
  });

  const foreign = ['https://shop.example.com:444', 'http://shop.example.com', 'https://shop.example.com.evil.example'];
  it.each([...foreign, 'null'])('of another origin may read only the OpenAPI document: %s', async (origin) => {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await service.api.send(method, '/v1/pets', { headers: { origin } });
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('vary')).toContain('Origin');
    }
    const document = await service.anonymous.get('/openapi.json', { origin });
    expect(document.headers.get('access-control-allow-origin')).toBe('*');
  });
});

it('without CORS_ORIGINS, no response has a header of CORS', async () => {
  const service = await startTestApp();
  const headers = { origin: shop, 'access-control-request-method': 'GET' };
  for (const method of ['GET', 'OPTIONS']) {
    const response = await service.api.send(method, '/v1/pets', { headers });
    expect(response.status).toBeLessThan(300);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});
