import { describe, expect, it } from 'vitest';
import { Api } from '../support/api.js';
import { expectError } from '../support/expect-error.js';
import { countLockWaits, holdPets } from '../support/scratch-database.js';
import { startTestApp } from '../support/test-app.js';

describe('RATE_LIMIT_PER_MINUTE', () => {
  it('returns the remaining requests of a key with every response, then 429 with the time to wait', async () => {
    const service = await startTestApp({ rateLimitPerMinute: 2 });
    const responses = [await service.api.get('/v1/pets'), await service.api.get('/v1/nothing')];
    expect(responses.map(({ status }) => status)).toEqual([200, 404]);
    for (const [used, { headers }] of responses.entries()) {
      expect(headers.get('ratelimit-policy')).toBe('"requests";q=2;w=60');
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"requests";r=${1 - used};t=\\d{1,2}$`));
    }
    const rejected = await service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    expect(expectError(rejected, 'rate_limited')).toContain('2 requests per minute');
    const seconds = Number(rejected.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(rejected.headers.get('ratelimit-policy')).toBe('"requests";q=2;w=60');
    expect(rejected.headers.get('ratelimit')).toBe(`"requests";r=0;t=${seconds}`);
  });

  it('counts each key separately, no public requests, and no 403, which states no quota', async () => {
    const service = await startTestApp({ rateLimitPerMinute: 1 });
    expect((await service.api.get('/v1/pets')).status).toBe(200);
    expect((await service.api.get('/v1/pets')).status).toBe(429);
    for (let sent = 0; sent < 3; sent += 1) {
      expect((await service.anonymous.get('/healthz')).status).toBe(200);
      expect((await service.anonymous.get('/v1/pets')).status).toBe(401);
      expect((await service.api.send('OPTIONS', '/v1/pets')).status).toBe(204);
    }
    const other = new Api(service.url, await service.newKey('read'));
    const rejected = await other.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    expectError(rejected, 'insufficient_scope');
    expect(rejected.headers.has('ratelimit')).toBe(false);
    expect((await other.get('/v1/pets')).status).toBe(200);
  });

  it('rejects before the service checks for overload, which it does before the method, path and body', async () => {
    const limits = { maxRequestsInProgress: 1, rejectionDelayMs: 1 };
    const { api, databaseUrl } = await startTestApp({ rateLimitPerMinute: 3, limits });
    const hold = await holdPets(databaseUrl);
    const held = api.get('/v1/pets');
    await expect.poll(() => countLockWaits(databaseUrl)).toBe(1);
    expectError(await api.post('/v1/nothing', '{'), 'service_unavailable');
    expectError(await api.send('DELETE', '/v1/pets'), 'service_unavailable');
    expectError(await api.send('DELETE', '/v1/pets'), 'rate_limited');
    await hold.end();
    expect((await held).status).toBe(200);
  });
});
