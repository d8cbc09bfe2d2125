import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Controller, Patch } from '@nestjs/common';
import { Operation } from '../../src/platform/http/access.js';
import { Api } from '../support/api.js';
import { expectError } from '../support/expect-error.js';
import { withController } from '../support/planted.js';
import { sendOne } from '../support/raw-http.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const shop = 'https://shop.example.com';
const desk = 'http://localhost:5173';
const corsHeaders = ['origin', 'methods', 'headers', 'credentials'].map((name) => `access-control-allow-${name}`);

/** A route with a method that no other route has. */
@Controller('v1/planted')
class PlantedController {
  @Patch()
  @Operation({ id: 'changePlanted', scope: 'write' })
  change(): string {
    return '';
  }
}

describe('a page of an origin in CORS_ORIGINS', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await withController(PlantedController, () => startTestApp({ corsOrigins: [shop, desk] }));
  });
  afterAll(() => service.close());

  it.each([shop, desk])('may read every response: %s', async (origin) => {
    const responses = [
      await service.api.get('/v1/pets', { origin }),
      await service.api.post('/v1/pets', '{', { origin }),
      await service.api.get('/v1/nothing', { origin }),
      await new Api(service.url).get('/v1/pets', { origin }),
      await new Api(service.url).get('/v1/%zz', { origin }),
      await new Api(service.url, 'wrong').get('/v1/pets', { origin }),
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
    ['/key.json', ['GET', 'HEAD']],
    ['/v1/planted', ['PATCH']],
  ])('receives the methods of a path from a preflight request without a key: OPTIONS %s', async (path, methods) => {
    const preflight = {
      origin: shop,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    const { status, headers } = await new Api(service.url).send('OPTIONS', path, { headers: preflight });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, shop]);
    expect(headers.get('allow')).toBe([...methods, 'OPTIONS'].join(', '));
    expect(headers.get('access-control-allow-methods')?.split(', ')).toEqual(methods);
    expect(headers.get('access-control-max-age')).toBe('86400');
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
    expect(allowed).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'idempotency-key',
        'if-none-match',
        'prefer',
        'x-request-id',
      ]),
    );
  });

  it.each(['/v1/nothing', '/nothing', '/v1/pets/'])('receives 404 for OPTIONS %s', async (path) => {
    const headers = { origin: shop, 'access-control-request-method': 'GET', 'content-type': 'text/plain' };
    expectError(await new Api(service.url).send('OPTIONS', path, { headers, body: 'x' }), 'route_not_found');
  });

  it.each([
    'https://shop.example.com:444',
    'http://shop.example.com',
    'https://evil.example',
    'https://shop.example.com.evil.example',
    'null',
  ])('is allowed only if its origin is listed: not %s', async (origin) => {
    for (const response of [
      await service.api.get('/v1/pets', { origin }),
      await service.api.send('OPTIONS', '/v1/pets', { headers: { origin } }),
    ]) {
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
      expect(response.headers.get('vary')).toContain('Origin');
    }
  });
});

describe('OPTIONS *', () => {
  it('returns the methods of all routes', async () => {
    const service = await withController(PlantedController, () => startTestApp());
    const { status, headers } = await sendOne(service.url, 'OPTIONS * HTTP/1.1');
    await service.close();
    expect([status, headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, PATCH, OPTIONS']);
  });
});

describe('without CORS_ORIGINS', () => {
  it('does not allow any other origin', async () => {
    const service = await startTestApp();
    const headers = { origin: shop, 'access-control-request-method': 'GET' };
    for (const response of [
      await service.api.get('/v1/pets', headers),
      await service.api.send('OPTIONS', '/v1/pets', { headers }),
    ]) {
      expect(response.status).toBeLessThan(300);
      for (const header of corsHeaders) expect(response.headers.get(header)).toBeNull();
    }
    await service.close();
  });
});
