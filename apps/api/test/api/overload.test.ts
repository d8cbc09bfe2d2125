import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpLimits } from '../../src/platform/http/server/limits.js';
import { expectError } from '../support/expect-error.js';
import { holdPets } from '../support/scratch-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const excess = 50;

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.close());

/** Resolves after this number of requests has arrived. */
function arrivals(count: number): Promise<void> {
  return new Promise((resolve) => {
    let left = count;
    const countDown = () => {
      left -= 1;
      if (left > 0) return;
      service.app.getHttpServer().off('request', countDown);
      resolve();
    };
    service.app.getHttpServer().on('request', countDown);
  });
}

const get = () => service.api.get('/v1/pets');
const twoAtOnce = async () => (await Promise.all([get(), get()])).map(({ status }) => status);

/** Sends this number of requests on one connection. */
function pipeline(path: string, count: number): Socket {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.key}\r\n\r\n`.repeat(count));
  return socket;
}

describe('requests beyond the limit', () => {
  it('get 503 with Retry-After, while the others and the health checks are served', async () => {
    const hold = await holdPets(service.databaseUrl);
    const reached = arrivals(httpLimits.maxRequestsInProgress);
    const socket = pipeline('/v1/pets', httpLimits.maxRequestsInProgress);
    let served = '';
    socket.on('data', (chunk) => (served += String(chunk)));
    await reached;
    const rejected = await Promise.all(Array.from({ length: excess }, get));
    const health = await service.api.get('/healthz');
    await hold.end();
    const count = () => served.match(/HTTP\/1.1 200 OK/g)?.length;
    await expect.poll(count, { timeout: 10_000 }).toBe(httpLimits.maxRequestsInProgress);
    socket.destroy();

    for (const response of rejected) expectError(response, 'service_unavailable');
    expect(new Set(rejected.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['1']));
    expect(health.status).toBe(200);
    expect((await service.api.get('/v1/pets')).status).toBe(200);
  });

  it('are no longer counted after their connection has closed', async () => {
    const hold = await holdPets(service.databaseUrl);
    const reached = arrivals(httpLimits.maxRequestsInProgress);
    const socket = pipeline('/v1/pets', httpLimits.maxRequestsInProgress);
    await reached;
    expect((await get()).status).toBe(503);
    socket.resetAndDestroy();
    await hold.end();

    await expect.poll(twoAtOnce, { timeout: 10_000 }).toEqual([200, 200]);
  });

  it('are no longer counted after a client that reads no responses is disconnected', async () => {
    await service.sql(`INSERT INTO pet (name, category_id) SELECT repeat('x', 200), 1 FROM generate_series(1, 100)`);
    const server = service.app.getHttpServer();
    const { timeout } = server;
    server.timeout = 500;
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    // 10 MB: more than the kernel buffers for a connection.
    const socket = pipeline('/v1/pets?limit=100', httpLimits.maxRequestsInProgress);
    const [connection] = await accepted;
    await once(connection, 'close');
    server.timeout = timeout;
    socket.destroy();

    await expect.poll(twoAtOnce, { timeout: 10_000 }).toEqual([200, 200]);
  });

  it('are logged once a second, with their number', () => {
    const lines = service.logged.filter(({ rejected }) => rejected !== undefined);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThan(excess / 2);
    expect(lines[0]?.['msg']).toContain('The service is overloaded');
  });
});
