import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connections } from '../../src/platform/http/connections.js';
import { Api } from '../support/api.js';
import { countLockWaits, createMigratedDatabase, holdPets, type ScratchDatabase } from '../support/scratch-database.js';
import { startOn, type TestApp } from '../support/test-app.js';

let database: ScratchDatabase;
let service: TestApp;
beforeEach(async () => {
  database = await createMigratedDatabase();
  service = await startOn(database.url);
});
afterEach(async () => {
  await service.close();
  await database.drop();
});

/** Longer than a test may take: a drain that waits for its grace does not end. */
const endlessMs = 3_600_000;

/** Closes the connections. */
function drained(graceMs: number, delayMs = 0, delay = () => sleep(delayMs, false)): Promise<void> {
  return service.app.get(Connections).drain({ delayMs, graceMs, delay });
}

/** A connection, and the text that it has received. */
async function open(): Promise<{ socket: Socket; text: () => string; ended: Promise<unknown> }> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => undefined);
  let received = '';
  socket.on('data', (data) => (received += String(data)));
  await once(socket, 'connect');
  return { socket, text: () => received, ended: once(socket, 'close') };
}

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.key}\r\n\r\n`;
/** The `Connection` headers of the responses in a text, in order. */
const connectionHeaders = (text: string) =>
  [...text.matchAll(/\r\nconnection: ([a-z-]+)\r\n/gi)].map(([, value]) => value);

describe('a graceful shutdown', () => {
  it('responds to the accepted request, and reads no further request of that connection', async () => {
    const hold = await holdPets(database.url);
    const responses = [service.api.get('/v1/pets'), service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 })];
    await expect.poll(() => countLockWaits(database.url)).toBe(2);
    const end = drained(endlessMs);
    await expect.poll(() => service.app.getHttpServer().listening).toBe(false);
    await hold.end();
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 201]);
    await end;
  });

  it('does not wait for idle connections', async () => {
    await service.api.get('/v1/pets');
    await open();
    await drained(endlessMs);
  });

  it('accepts no new connection', async () => {
    await drained(endlessMs);
    await expect(service.api.get('/healthz')).rejects.toThrow('fetch failed');
  });

  it('closes the remaining connections after the grace period', async () => {
    const hold = await holdPets(database.url);
    const response = service.api.get('/v1/pets').catch((error: Error) => error.message);
    await once(service.app.getHttpServer(), 'request');
    await drained(300);
    expect(await response).toBe('fetch failed');
    await hold.end();
  });
});

describe('a graceful shutdown with a delay', () => {
  it('responds 503 to /readyz at once, accepts connections, and closes each with its response', async () => {
    const delay = new EventTarget();
    const end = drained(endlessMs, 1, () => once(delay, 'end').then(() => false));
    const anyone = new Api(service.url);
    const ready = await anyone.get('/readyz');
    expect([ready.status, ready.headers.get('retry-after'), ready.headers.get('connection')]).toEqual([
      503,
      '1',
      'close',
    ]);
    const pets = await service.api.get('/v1/pets');
    expect([pets.status, pets.headers.get('connection')]).toEqual([200, 'close']);
    expect((await anyone.get('/healthz')).status).toBe(200);
    delay.dispatchEvent(new Event('end'));
    await end;
    await expect(anyone.get('/healthz')).rejects.toThrow('fetch failed');
  });

  it('keeps a connection without a request open for one more request, after the service stopped listening', async () => {
    const [used, unused] = [await open(), await open()];
    used.socket.write(request('/v1/pets'));
    await expect.poll(used.text).toContain('HTTP/1.1 200');
    const end = drained(endlessMs, 1);
    await expect.poll(() => service.app.getHttpServer().listening).toBe(false);
    for (const { socket } of [used, unused]) socket.write(request('/v1/pets'));
    await Promise.all([used.ended, unused.ended, end]);
    expect(connectionHeaders(used.text())).toEqual(['keep-alive', 'close']);
    expect(unused.text()).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is);
  });

  it('responds to a connection that was not yet accepted when the delay ended', async () => {
    const port = Number(new URL(service.url).port);
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(request('/v1/pets')));
    socket.on('data', (data) => (received += String(data))).on('error', (error) => (received += error.message));
    const ended = once(socket, 'close');
    // The kernel has connected then, but the event loop has not accepted the connection.
    await new Promise<void>((resolve) => {
      process.nextTick(resolve);
    });
    const end = drained(endlessMs, 1, () => Promise.resolve(false));
    await expect.poll(() => service.app.getHttpServer().listening).toBe(false);
    // It stays open for one more request: a proxy that has a connection opens none while the listener closes.
    socket.write(request('/v1/pets'));
    await Promise.all([end, ended]);
    expect(connectionHeaders(received)).toEqual(['keep-alive', 'close']);
  });

  it('closes a connection without a request after the grace period, or at once if the delay is skipped', async () => {
    const idle = await open();
    await drained(300, 1);
    await idle.ended;
    await service.close();
    service = await startOn(database.url);
    const other = await open();
    await drained(endlessMs, endlessMs, () => Promise.resolve(true));
    await other.ended;
  });

  it('responds to all pipelined requests in progress, and closes the connection with the last response', async () => {
    const hold = await holdPets(database.url);
    const { socket, text, ended } = await open();
    socket.write(request('/v1/pets').repeat(2));
    await expect.poll(() => countLockWaits(database.url)).toBe(1);
    const end = drained(endlessMs, 1);
    socket.write(request('/v1/pets'));
    await expect.poll(() => service.app.getHttpServer().listening).toBe(false);
    await hold.end();
    await Promise.all([ended, end]);
    expect(connectionHeaders(text())).toEqual(['keep-alive', 'keep-alive', 'close']);
    expect(text().match(/HTTP\/1\.1 200/g)).toHaveLength(3);
  });
});
