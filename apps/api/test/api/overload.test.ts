import { on, once } from 'node:events';
import type { Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { httpLimits } from '../../src/platform/http/limits.js';
import { Api } from '../support/api.js';
import { expectError } from '../support/expect-error.js';
import { createOf, headOf, openSocket, sendRaw } from '../support/raw-http.js';
import { countLockWaits, holdPets } from '../support/scratch-database.js';
import { startOn, useTestApp } from '../support/test-app.js';

// Fewer slots than the default: the requests that hold them are rejected after 4 s, however slow the machine is.
const fewSlots = { maxRequestsInProgress: 64, rejectionDelayMs: 100 };
const half = fewSlots.maxRequestsInProgress / 2;
const excess = 20;

const service = useTestApp({ metricsPort: 9464, limits: fewSlots });
let otherKey: string;
beforeAll(async () => {
  otherKey = await service.newKey('read');
});

/** Resolves after this number of requests has arrived. */
async function arrivals(count: number): Promise<void> {
  const requests = on(service.app.getHttpServer(), 'request');
  for (let arrived = 0; arrived < count; arrived += 1) await requests.next();
  await requests.return?.();
}

const statusesOf = async (count: number, api = service.api) => {
  const responses = await Promise.all(Array.from({ length: count }, () => api.get('/v1/pets')));
  return new Set(responses.map(({ status }) => status));
};

function open(text: string, { url } = service): Socket {
  const socket = openSocket(url);
  socket.write(text);
  return socket;
}

/** Occupies a number of slots, one on each connection. */
async function takeSlots(key: string, count: number): Promise<Socket[]> {
  const reached = arrivals(count);
  const sockets = Array.from({ length: count }, () => open(headOf('GET /v1/pets', key)));
  await reached;
  return sockets;
}

/** Occupies every slot: two keys hold half of them each. */
async function fillSlots(): Promise<Socket[]> {
  return [...(await takeSlots(service.key, half)), ...(await takeSlots(otherKey, half))];
}

/** Compares the message: a request that waits 4 s for the database gets 503 too. */
async function expectOverload(api: Api): Promise<void> {
  expect(expectError(await api.get('/v1/pets'), 'service_unavailable')).toContain('The service is overloaded');
}

/** The value of a metric. */
async function measured(metric: string): Promise<number> {
  const line = (await service.metrics()).split('\n').find((text) => text.startsWith(`petstore_${metric} `));
  return Number(line?.split(' ')[1]);
}

it.each(['read', 'write'] as const)(
  'an incomplete body takes no slot from others, with the scope %s',
  async (scope) => {
    const [head] = createOf(await service.newKey(scope));
    const reached = arrivals(fewSlots.maxRequestsInProgress);
    for (let sent = 0; sent < fewSlots.maxRequestsInProgress; sent += 1) open(head);
    await reached;
    expect(await statusesOf(2)).toEqual(new Set([200]));
  },
);

it('the requests of one key take little of a turn of the event loop: those of another key come between', async () => {
  // One request per turn.
  const slow = await startOn(service.databaseUrl, { limits: { keyTurnMs: 1e-6 } });
  const keys = [...Array.from({ length: 50 }, () => service.key), otherKey];
  const sockets = keys.map(() => openSocket(slow.url));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  expect((await slow.anonymous.get('/healthz')).status).toBe(200);
  const answered: string[] = [];
  const responses = sockets.map((socket, index) => once(socket, 'data').then(() => answered.push(keys[index] ?? '')));
  for (const [index, socket] of sockets.entries()) socket.write(headOf('GET /v1/pets?limit=0', keys[index] ?? ''));
  await Promise.all(responses);
  expect(answered.indexOf(otherKey)).toBeLessThan(25);
});

it('requests that wait for their start get their responses, also malformed ones', async () => {
  const slow = await startOn(service.databaseUrl, { limits: { startTurnMs: 1e-6 } });
  const list = headOf('GET /v1/pets?limit=1', slow.key, 'Connection: close');
  const malformed = headOf('POST /v1/pets', slow.key, 'Content-Type: application/json', 'Transfer-Encoding: chunked');
  const sent = [...Array.from({ length: 40 }, () => list), `${malformed}zz\r\n`, `${list}zz\r\n`];
  const responses = await Promise.all(sent.map((bytes) => sendRaw(slow.url, bytes)));
  const statuses = responses.map((received) => received.map(({ status }) => status));
  expect(statuses).toEqual([...Array.from({ length: 40 }, () => [200]), [400], [200]]);
});

it('one key holds at most half of the slots; other keys get the other half', async () => {
  const hold = await holdPets(service.databaseUrl);
  const hostile = await service.newKey('read');
  await takeSlots(hostile, half);
  await expectOverload(new Api(service.url, hostile));
  const reached = arrivals(half);
  const others = statusesOf(half);
  await reached;
  await hold.end();
  expect(await others).toEqual(new Set([200]));
});

it.each<[string, string, Record<string, string>, number]>([
  ['searches', 'q=rex', {}, 3],
  ['lists of categories', 'categoryId=7', {}, 3],
  ['counts of searches', 'q=rex', { prefer: 'count=exact' }, 6],
])('%s of one key wait behind each other, not those of another key', async (_what, query, headers, statements) => {
  const hold = await holdPets(service.databaseUrl);
  const ended: string[] = [];
  const list = async (api: Api, name: string) => {
    const { status } = await api.get(`/v1/pets?${query}`, headers);
    ended.push(`${name} ${status}`);
  };
  const requests: Promise<void>[] = [];
  // Two of a key run, although a third could. The second key takes that turn.
  for (const waiting of [18, 37]) {
    const hostile = new Api(service.url, await service.newKey('read'));
    for (let sent = 0; sent < 20; sent += 1) requests.push(list(hostile, 'hostile'));
    await expect.poll(() => measured('batch_queue_length{statement="search"}')).toBe(waiting);
  }
  requests.push(list(service.api, 'other'));
  // The requests need new database connections, which takes long on a busy machine.
  await expect.poll(() => countLockWaits(service.databaseUrl), { interval: 20 }).toBe(statements);
  await expect.poll(() => measured('batch_queue_length{statement="search"}')).toBe(38);
  await hold.end();
  await Promise.all(requests);
  expect(new Set(ended)).toEqual(new Set(['hostile 200', 'other 200']));
  expect(ended.indexOf('other 200')).toBeLessThan(15);
});

describe('requests beyond the limit', () => {
  it('get 503 with Retry-After, are counted and logged, while the others and the health checks are served', async () => {
    const before = await measured('http_requests_shed_total');
    // It has no slots: only the limit of all keys applies to it.
    const third = new Api(service.url, await service.newKey('read'));
    const hold = await holdPets(service.databaseUrl);
    const sockets = await fillSlots();
    const received: string[] = [];
    for (const socket of sockets) socket.on('data', (chunk) => received.push(String(chunk)));
    // Sent at the same time, because the held requests are rejected after 4 s.
    const [health, ...rejected] = await Promise.all([
      service.api.get('/healthz'),
      ...Array.from({ length: excess }, () => third.get('/v1/pets')),
    ]);
    await hold.end();
    const count = () => received.join('').match(/HTTP\/1.1 200 OK/g)?.length;
    await expect.poll(count).toBe(fewSlots.maxRequestsInProgress);

    for (const response of rejected) expectError(response, 'service_unavailable');
    expect(new Set(rejected.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['1']));
    expect(health.status).toBe(200);
    expect((await measured('http_requests_shed_total')) - before).toBe(excess);
    const logged = () =>
      service.logged
        .filter(({ msg }) => String(msg).includes('The service is overloaded'))
        .reduce((sum, line) => sum + Number(line['rejected']), 0);
    await expect.poll(logged).toBeGreaterThanOrEqual(excess);
  });

  it('get 503 also when slots were free before their bodies were complete', async () => {
    const [head, body] = createOf(await service.newKey('write'), 'Connection: close');
    const hold = await holdPets(service.databaseUrl);
    const reached = arrivals(1);
    const create = open(head);
    await reached;
    await fillSlots();
    create.write(body);
    expect(await readText(create)).toMatch(/^HTTP\/1.1 503 [^]*The service is overloaded/);
    await hold.end();
  });

  it('are no longer counted after their connections have closed', async () => {
    const hold = await holdPets(service.databaseUrl);
    const sockets = await fillSlots();
    await expectOverload(service.api);
    for (const socket of sockets) socket.resetAndDestroy();
    await hold.end();
    await expect.poll(() => statusesOf(2)).toEqual(new Set([200]));
  });

  it('are no longer counted after a client that reads no responses is disconnected', async () => {
    // JSON escapes each character with 6 bytes: a page has 127 KB, and a few are more than the kernel buffers.
    await service.sql(`INSERT INTO pet (name, category_id) SELECT repeat(chr(1), 200), 1 FROM generate_series(1, 100)`);
    // The connection occupies the only slot of its key.
    const limits = { maxRequestsInProgress: 2, stalledTimeoutMs: 500 };
    const small = await startOn(service.databaseUrl, { limits });
    const accepted = once(small.app.getHttpServer(), 'connection') as Promise<[Socket]>;
    const page = headOf('GET /v1/pets?limit=100&order=desc', small.key);
    open(page.repeat(httpLimits.requestsPerConnection), small).pause();
    const [connection] = await accepted;
    await once(connection, 'close');
    // On a busy machine, it may stall too.
    await expect.poll(() => statusesOf(1, small.api)).toEqual(new Set([200]));
  });
});
