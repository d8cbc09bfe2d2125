import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ApiKeyRing } from '../../src/features/api-keys/api-key-ring.js';
import { httpLimits } from '../../src/platform/http/limits.js';
import { expectError } from '../support/expect-error.js';
import { sendOne } from '../support/raw-http.js';
import { holdPets } from '../support/scratch-database.js';
import { startOn, startTestApp, type TestApp } from '../support/test-app.js';

const excess = 50;

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp({ metricsPort: 9464 });
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
function pipeline(path: string, count: number, { url, key } = service): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`.repeat(count));
  return socket;
}

/** Occupies every slot, with as few connections as possible. */
async function fillSlots(path: string): Promise<Socket[]> {
  const { maxRequestsInProgress, requestsPerConnection } = httpLimits;
  const reached = arrivals(maxRequestsInProgress);
  const connections = Math.ceil(maxRequestsInProgress / requestsPerConnection);
  const sockets = Array.from({ length: connections }, () => pipeline(path, requestsPerConnection));
  await reached;
  return sockets;
}

/** Sends the headers of this number of requests on separate connections, without their bodies. */
async function announceBodies(key: string, count: number): Promise<Socket[]> {
  const reached = arrivals(count);
  const head = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n`;
  const sockets = Array.from({ length: count }, () => connect(Number(new URL(service.url).port), '127.0.0.1'));
  for (const socket of sockets) socket.on('error', () => undefined).write(head);
  await reached;
  return sockets;
}

describe('requests with an incomplete body', () => {
  it.each(['read', 'write'] as const)(
    'take no slot: a key with the scope %s does not block other clients',
    async (scope) => {
      const { key } = await service.keys.create(scope, [scope], null);
      await service.app.get(ApiKeyRing).reload();
      const sockets = await announceBodies(key, httpLimits.maxRequestsInProgress);
      expect(await twoAtOnce()).toEqual([200, 200]);
      for (const socket of sockets) socket.destroy();
    },
  );
});

describe('requests beyond the limit', () => {
  it('get 503 with Retry-After, while the others and the health checks are served', async () => {
    const hold = await holdPets(service.databaseUrl);
    const sockets = await fillSlots('/v1/pets');
    const received: string[] = [];
    for (const socket of sockets) socket.on('data', (chunk) => received.push(String(chunk)));
    const rejected = await Promise.all(Array.from({ length: excess }, get));
    const health = await service.api.get('/healthz');
    const metrics = await service.metrics();
    await hold.end();
    const count = () => received.join('').match(/HTTP\/1.1 200 OK/g)?.length;
    await expect.poll(count, { timeout: 10_000 }).toBe(httpLimits.maxRequestsInProgress);
    for (const socket of sockets) socket.destroy();

    for (const response of rejected) expectError(response, 'service_unavailable');
    expect(new Set(rejected.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['1']));
    expect(health.status).toBe(200);
    expect(metrics).toContain(`\npetstore_http_requests_shed_total ${excess}\n`);
    // Equal requests of a batch share one place in the queue.
    expect(metrics).toContain('\npetstore_batch_queue_length{statement="list"} 1\n');
    expect((await service.api.get('/v1/pets')).status).toBe(200);
  });

  it('are rejected before their body is read', async () => {
    const hold = await holdPets(service.databaseUrl);
    const sockets = await fillSlots('/v1/pets');
    const head = [`Authorization: Bearer ${service.key}`, 'Content-Type: application/json', 'Content-Length: 99'];
    expectError(await sendOne(service.url, 'POST /v1/pets HTTP/1.1', head), 'service_unavailable');
    await hold.end();
    for (const socket of sockets) socket.destroy();
  });

  it('are no longer counted after their connections have closed', async () => {
    const hold = await holdPets(service.databaseUrl);
    const sockets = await fillSlots('/v1/pets');
    expect((await get()).status).toBe(503);
    for (const socket of sockets) socket.resetAndDestroy();
    await hold.end();

    await expect.poll(twoAtOnce, { timeout: 10_000 }).toEqual([200, 200]);
  });

  it('are no longer counted after a client that reads no responses is disconnected', async () => {
    await service.sql(`INSERT INTO pet (name, category_id) SELECT repeat('x', 200), 1 FROM generate_series(1, 100)`);
    // One connection can occupy all slots.
    const limits = { maxRequestsInProgress: httpLimits.requestsPerConnection, stalledTimeoutMs: 500 };
    const small = await startOn(service.databaseUrl, { limits });
    onTestFinished(() => small.close());
    const accepted = once(small.app.getHttpServer(), 'connection') as Promise<[Socket]>;
    // 10 MB: more than the kernel buffers for a connection.
    const socket = pipeline('/v1/pets?limit=100', 400, small);
    const [connection] = await accepted;
    await once(connection, 'close');
    socket.destroy();

    const gets = () => Promise.all([small.api.get('/v1/pets'), small.api.get('/v1/pets')]);
    await expect.poll(async () => (await gets()).map(({ status }) => status), { timeout: 10_000 }).toEqual([200, 200]);
  });

  it('are logged once a second, with their number', () => {
    const lines = service.logged.filter(({ msg }) => String(msg).includes('The service is overloaded'));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThan(excess / 2);
    const total = lines.reduce((sum, { rejected }) => sum + Number(rejected), 0);
    expect(total).toBeGreaterThan(excess);
  });
});
