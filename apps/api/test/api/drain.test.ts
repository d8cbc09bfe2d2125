import { once } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { Connections } from '../../src/platform/http/connections.js';
import { headOf, openSocket } from '../support/raw-http.js';
import { countLockWaits, holdPets } from '../support/scratch-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let connections: Connections;
beforeEach(async () => {
  service = await startTestApp();
  connections = service.app.get(Connections);
});

/** The test fails if a stop waits for this grace: it is longer than a test may take. */
const endlessMs = 3_600_000;

function stop(graceMs: number): Promise<void> {
  connections.startDraining();
  return connections.close(graceMs);
}

/** A connection, and the text that it has received. */
async function open() {
  const socket = openSocket(service.url);
  let received = '';
  socket.on('data', (data) => (received += String(data)));
  await once(socket, 'connect');
  return { socket, text: () => received, ended: once(socket, 'close') };
}

describe('a graceful shutdown', () => {
  it('responds to the accepted requests, also pipelined ones, and closes each connection with the last', async () => {
    const hold = await holdPets(service.databaseUrl);
    const { socket, text, ended } = await open();
    socket.write(headOf('GET /v1/pets', service.key).repeat(3));
    const create = service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    await expect.poll(() => countLockWaits(service.databaseUrl)).toBe(2);
    const end = stop(endlessMs);
    await expect.poll(() => service.app.getHttpServer().listening).toBe(false);
    await hold.end();
    const { status, headers } = await create;
    expect([status, headers.get('connection')]).toEqual([201, 'close']);
    await Promise.all([ended, end]);
    expect(text().match(/HTTP\/1\.1 200/g)).toHaveLength(3);
    const connectionHeaders = [...text().matchAll(/\r\nconnection: ([a-z-]+)\r\n/gi)].map(([, value]) => value);
    expect(connectionHeaders).toEqual(['keep-alive', 'keep-alive', 'close']);
  });

  it('does not wait for idle connections, nor for those that browsers open in advance, and accepts no new one', async () => {
    await service.api.get('/v1/pets');
    await open();
    await stop(endlessMs);
    await expect(service.api.get('/healthz')).rejects.toThrow('fetch failed');
  });

  it('with a delay responds 503 to /readyz at once, accepts connections, and closes each with its response', async () => {
    connections.startDraining();
    const ready = await service.anonymous.get('/readyz');
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1']);
    const others = [
      await service.api.get('/v1/pets'),
      await service.anonymous.get('/v1/pets'),
      await service.anonymous.get('/docs'),
    ];
    expect(others.map(({ status }) => status)).toEqual([200, 401, 200]);
    const closing = [ready, ...others].map(({ headers }) => headers.get('connection'));
    expect(new Set(closing)).toEqual(new Set(['close']));
  });
});
