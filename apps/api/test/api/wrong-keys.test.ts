import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { Authenticator } from '../../src/platform/http/access.js';
import { Api } from '../support/api.js';
import { expectError } from '../support/expect-error.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function usedMemory(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

let service: TestApp;
afterEach(() => service.close());

const unknownKeyApi = () => new Api(service.url, `psk_${'x'.repeat(43)}`);

/** Sends this number of requests in sequence and returns their statuses. */
async function statuses(count: number, headers: Record<string, string> = {}): Promise<number[]> {
  const all = [];
  for (let sent = 0; sent < count; sent += 1) all.push((await unknownKeyApi().get('/v1/pets', headers)).status);
  return all;
}

describe('unknown keys from one address', () => {
  it('get 401 up to AUTH_FAILURES_PER_MINUTE, then 429 with the time to wait', async () => {
    service = await startTestApp({ authFailuresPerMinute: 3 });
    expect(await statuses(3)).toEqual([401, 401, 401]);
    const response = await unknownKeyApi().get('/v1/pets');
    expectError(response, 'rate_limited');
    const seconds = Number(response.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(response.headers.get('ratelimit-policy')).toBe('"auth-failures";q=3;w=60');
    expect(response.headers.get('ratelimit')).toBe(`"auth-failures";r=0;t=${seconds}`);
    expect(response.headers.get('www-authenticate')).toBeNull();
  });

  it('do not affect valid keys and requests without a key', async () => {
    service = await startTestApp({ authFailuresPerMinute: 1 });
    expect(await statuses(3)).toEqual([401, 429, 429]);
    expect((await service.api.get('/v1/pets')).status).toBe(200);
    expectError(await new Api(service.url).get('/v1/pets'), 'missing_api_key');
    expect((await new Api(service.url).get('/healthz')).status).toBe(200);
  });

  it('are counted when their connection has closed before', async () => {
    service = await startTestApp({ authFailuresPerMinute: 1 });
    const reject = () => service.app.get(Authenticator).reject('Bearer wrong', undefined);
    expect(reject()).toMatchObject({ code: 'invalid_api_key' });
    expect(reject()).toMatchObject({ code: 'rate_limited' });
  });

  it('are counted without requests that send no key', async () => {
    service = await startTestApp({ authFailuresPerMinute: 2 });
    for (let sent = 0; sent < 5; sent += 1) expectError(await new Api(service.url).get('/v1/pets'), 'missing_api_key');
    expect(await statuses(3)).toEqual([401, 401, 429]);
  });

  it('are counted on unknown paths and for other methods', async () => {
    service = await startTestApp({ authFailuresPerMinute: 2 });
    expectError(await unknownKeyApi().get('/v1/nothing'), 'invalid_api_key');
    expectError(await unknownKeyApi().send('DELETE', '/v1/pets'), 'invalid_api_key');
    expectError(await unknownKeyApi().get('/v1/pets'), 'rate_limited');
  });

  it('are counted per IPv4 address and per IPv6 /64 network', async () => {
    service = await startTestApp({ authFailuresPerMinute: 1, trustProxy: 1 });
    const from = (address: string) => statuses(1, { 'x-forwarded-for': address });
    expect(await from('192.0.2.1')).toEqual([401]);
    expect(await from('192.0.2.2')).toEqual([401]);
    expect(await from('::ffff:192.0.2.1')).toEqual([429]);
    expect(await from('2001:db8:1:2:aaaa::1')).toEqual([401]);
    expect(await from('2001:db8:1:2:bbbb::2')).toEqual([429]);
    expect(await from('2001:db8:1:3::1')).toEqual([401]);
    expect(await from('192.0.2.1:4711')).toEqual([429]);
    expect(await from('[2001:db8:1:2:bbbb::2]:4711')).toEqual([429]);
    expect(await from('not an address')).toEqual([401]);
  });

  it('use little memory, for any number of addresses', async () => {
    service = await startTestApp({ authFailuresPerMinute: 1, logLevel: 'silent' });
    const authenticator = service.app.get(Authenticator);
    const before = usedMemory();
    for (let number = 0; number < 50_000; number += 1) {
      authenticator.reject('Bearer wrong', `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`);
    }
    expect(usedMemory() - before).toBeLessThan(8_000_000);
    expect((await service.api.get('/v1/pets')).status).toBe(200);
  });

  it('are counted for the address of the connection unless a proxy is trusted', async () => {
    service = await startTestApp({ authFailuresPerMinute: 1 });
    expect(await statuses(1, { 'x-forwarded-for': '192.0.2.1' })).toEqual([401]);
    expect(await statuses(1, { 'x-forwarded-for': '192.0.2.2' })).toEqual([429]);
  });
});
