import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ApiKeyRing } from '../../src/features/api-keys/api-key-ring.js';
import { httpLimits } from '../../src/platform/http/limits.js';
import { Api } from '../support/api.js';
import { expectError } from '../support/expect-error.js';
import { sendOne } from '../support/raw-http.js';
import { holdPets } from '../support/scratch-database.js';
import { startOn, startTestApp, type TestApp } from '../support/test-app.js';

// Fewer slots than the default: the requests that hold them are rejected after 4 s, however slow the machine is.
const fewSlots = { maxRequestsInProgress: 64, rejectionDelayMs: 100 };
const excess = 20;

let service: TestApp;
let otherKey: string;
beforeAll(async () => {
  service = await startTestApp({ metricsPort: 9464, limits: fewSlots });
  otherKey = await newKey();
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
function pipeline(path: string, count: number, { url, key }: Pick<TestApp, 'url' | 'key'> = service): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`.repeat(count));
  return socket;
}

/** Occupies a number of slots, with as few connections as possible. */
async function takeSlots(key: string, count: number): Promise<Socket[]> {
  const { requestsPerConnection } = httpLimits;
  const reached = arrivals(count);
  const sizes = Array.from({ length: Math.ceil(count / requestsPerConnection) }, (_, index) =>
    Math.min(requestsPerConnection, count - index * requestsPerConnection),
  );
  const sockets = sizes.map((size) => pipeline('/v1/pets', size, { url: service.url, key }));
  await reached;
  return sockets;
}

/** Occupies every slot: two keys hold half of them each. */
async function fillSlots(): Promise<Socket[]> {
  const half = fewSlots.maxRequestsInProgress / 2;
  return [...(await takeSlots(service.key, half)), ...(await takeSlots(otherKey, half))];
}

async function shedRequests(): Promise<number> {
  return Number(/^petstore_http_requests_shed_total (\d+)$/m.exec(await service.metrics())?.[1]);
}

async function newKey(...scopes: ('read' | 'write')[]): Promise<string> {
  const { key } = await service.keys.create('other', scopes.length > 0 ? scopes : ['read'], null);
  await service.app.get(ApiKeyRing).reload();
  return key;
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
      const sockets = await announceBodies(await newKey(scope), fewSlots.maxRequestsInProgress);
      expect(await twoAtOnce()).toEqual([200, 200]);
      for (const socket of sockets) socket.destroy();
    },
  );
});

describe('one key', () => {
  it('holds at most half of the slots; other keys get the other half', async () => {
    const hold = await holdPets(service.databaseUrl);
    const hostile = await newKey();
    const half = fewSlots.maxRequestsInProgress / 2;
    const sockets = await takeSlots(hostile, half);
    expect((await new Api(service.url, hostile).get('/v1/pets')).status).toBe(503);
    const reached = arrivals(half);
    const others = Array.from({ length: half }, get);
    await reached;
    await hold.end();
    expect(new Set((await Promise.all(others)).map(({ status }) => status))).toEqual(new Set([200]));
    for (const socket of sockets) socket.destroy();
  });

  it('that does not read its responses loses a connection while slots are scarce', async () => {
    // JSON escapes each character with 6 bytes: a page has 127 KB, and 80 pages are more than the kernel buffers.
    await service.sql(`INSERT INTO pet (name, category_id) SELECT repeat(chr(1), 200), 1 FROM generate_series(1, 100)`);
    // The two connections take 32 slots: more than three quarters.
    const limits = { maxRequestsInProgress: 40, scarceStalledTimeoutMs: 300, stalledCheckIntervalMs: 50 };
    const small = await startOn(service.databaseUrl, { limits });
    onTestFinished(() => small.close());
    const other = await small.keys.create('other', ['read'], null);
    await small.app.get(ApiKeyRing).reload();
    const closed: Promise<unknown>[] = [];
    small.app.getHttpServer().on('connection', (socket: Socket) => closed.push(once(socket, 'close')));
    const path = '/v1/pets?limit=100&order=desc';
    const sockets = [small.key, other.key].map((key) => pipeline(path, 80, { url: small.url, key }));
    await expect.poll(() => closed.length).toBe(2);
    // Slots are no longer scarce after the first one, which may stall before the other.
    await Promise.race(closed);
    const third = await small.keys.create('third', ['read'], null);
    await small.app.get(ApiKeyRing).reload();
    expect((await new Api(small.url, third.key).get('/v1/pets')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});

describe('requests beyond the limit', () => {
  it('get 503 with Retry-After, while the others and the health checks are served', async () => {
    const before = await shedRequests();
    const hold = await holdPets(service.databaseUrl);
    const sockets = await fillSlots();
    const received: string[] = [];
    for (const socket of sockets) socket.on('data', (chunk) => received.push(String(chunk)));
    // At the same time, because the held requests are rejected after 4 s.
    const rejecting = Promise.all(Array.from({ length: excess }, get));
    const [health, metrics] = await Promise.all([service.api.get('/healthz'), service.metrics()]);
    const rejected = await rejecting;
    await hold.end();
    const count = () => received.join('').match(/HTTP\/1.1 200 OK/g)?.length;
    await expect.poll(count).toBe(fewSlots.maxRequestsInProgress);
    for (const socket of sockets) socket.destroy();

    for (const response of rejected) expectError(response, 'service_unavailable');
    expect(new Set(rejected.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['1']));
    expect(health.status).toBe(200);
    expect((await shedRequests()) - before).toBe(excess);
    // Equal requests of a batch share one place in the queue.
    expect(metrics).toContain('\npetstore_batch_queue_length{statement="list"} 1\n');
    expect((await service.api.get('/v1/pets')).status).toBe(200);
  });

  it('are rejected before their body is read', async () => {
    const hold = await holdPets(service.databaseUrl);
    const sockets = await fillSlots();
    const head = [`Authorization: Bearer ${service.key}`, 'Content-Type: application/json', 'Content-Length: 99'];
    expectError(await sendOne(service.url, 'POST /v1/pets HTTP/1.1', head), 'service_unavailable');
    await hold.end();
    for (const socket of sockets) socket.destroy();
  });

  it('are no longer counted after their connections have closed', async () => {
    const hold = await holdPets(service.databaseUrl);
    const sockets = await fillSlots();
    expect((await get()).status).toBe(503);
    for (const socket of sockets) socket.resetAndDestroy();
    await hold.end();

    await expect.poll(twoAtOnce).toEqual([200, 200]);
  });

  it('are no longer counted after a client that reads no responses is disconnected', async () => {
    await service.sql(`INSERT INTO pet (name, category_id) SELECT repeat('x', 200), 1 FROM generate_series(1, 100)`);
    // One connection can occupy all slots of its key.
    const limits = { maxRequestsInProgress: 2 * httpLimits.requestsPerConnection, stalledTimeoutMs: 500 };
    const small = await startOn(service.databaseUrl, { limits });
    onTestFinished(() => small.close());
    const accepted = once(small.app.getHttpServer(), 'connection') as Promise<[Socket]>;
    // 2 MB, and a receive buffer that is never read: more than the kernel buffers for a connection.
    const socket = pipeline('/v1/pets?limit=100', 80, small);
    const [connection] = await accepted;
    await once(connection, 'close');
    socket.destroy();

    const gets = () => Promise.all([small.api.get('/v1/pets'), small.api.get('/v1/pets')]);
    await expect.poll(async () => (await gets()).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('are logged once a second, with their number', () => {
    const lines = service.logged.filter(({ msg }) => String(msg).includes('The service is overloaded'));
    expect(lines.length).toBeGreaterThan(0);
    const total = lines.reduce((sum, { rejected }) => sum + Number(rejected), 0);
    expect(total).toBeGreaterThan(excess);
    expect(lines.length).toBeLessThan(total / 2);
  });
});
