import { describe, expect, it } from 'vitest';
import { startTestApp, useTestApp } from '../support/test-app.js';

const shop = 'https://shop.example.com';
const desk = 'http://localhost:5173';

describe('a page of an origin in CORS_ORIGINS', () => {
  const service = useTestApp({ corsOrigins: [shop, desk] });

  it.each([shop, desk])('may read every response: %s', async (origin) => {
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
    }
  });

  it('may read every header of the contract', async () => {
    const { headers } = await service.api.get('/v1/pets', { origin: shop });
    expect(headers.get('access-control-expose-headers')?.split(', ').toSorted()).toEqual([
      'Deprecation',
      'ETag',
      'Idempotency-Replayed',
      'Link',
      'Location',
      'Preference-Applied',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'Sunset',
      'X-Request-Id',
      'X-Total-Count',
    ]);
  });

  it.each([
    ['/v1/pets', ['GET', 'HEAD', 'POST']],
    ['/v1/pets/1', ['GET', 'HEAD']],
  ])('receives the methods of a path from a preflight request without a key: OPTIONS %s', async (path, methods) => {
    const preflight = {
      origin: shop,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    const { status, headers } = await service.anonymous.send('OPTIONS', path, { headers: preflight });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, shop]);
    expect(headers.get('allow')).toBe([...methods, 'OPTIONS'].join(', '));
    expect(headers.get('access-control-allow-methods')?.split(', ')).toEqual(methods);
    expect(headers.get('access-control-max-age')).toBe('86400');
    const allowed =
      'authorization content-type idempotency-key if-none-match prefer x-request-id traceparent tracestate';
    expect(headers.get('access-control-allow-headers')?.toLowerCase().split(', ')).toEqual(
      expect.arrayContaining(allowed.split(' ')),
    );
  });

  const foreign = ['https://shop.example.com:444', 'http://shop.example.com', 'https://shop.example.com.evil.example'];
  it.each([...foreign, 'null'])('is allowed only if its origin is listed: not %s', async (origin) => {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await service.api.send(method, '/v1/pets', { headers: { origin } });
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('vary')).toContain('Origin');
    }
  });

  it('is not required to read the OpenAPI document', async () => {
    const { headers } = await service.anonymous.get('/openapi.json', { origin: 'https://editor.example.com' });
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });
});

it('without CORS_ORIGINS does not allow any other origin', async () => {
  const service = await startTestApp();
  const headers = { origin: shop, 'access-control-request-method': 'GET' };
  for (const method of ['GET', 'OPTIONS']) {
    const response = await service.api.send(method, '/v1/pets', { headers });
    expect(response.status).toBeLessThan(300);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});
