import { once } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { headOf, openSocket, parseResponses } from '../support/raw-http.js';
import { countLockWaits, holdPets } from '../support/scratch-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeEach(async () => {
  service = await startTestApp();
});

/** The test fails if a stop waits for this grace: it is longer than a test may take. */
const endlessMs = 3_600_000;

function stop(graceMs: number): Promise<void> {
  service.connections.startDraining();
  return service.connections.close(graceMs);
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
  it('responds to the requests in progress, and closes each connection with its response', async () => {
    const hold = await holdPets(service.databaseUrl);
    const { socket, text, ended } = await open();
    socket.write(headOf('GET /v1/pets', service.key).repeat(3));
    const create = service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    await expect.poll(() => countLockWaits(service.databaseUrl)).toBe(2);
    const end = stop(endlessMs);
    await expect.poll(() => service.app.getHttpServer().listening).toBe(false);
    await hold.end();
    expect(await create).toMatchObject({ status: 201 });
    expect((await create).headers.get('connection')).toBe('close');
    await Promise.all([ended, end]);
    // Those that wait behind it on its connection get none.
    expect(
      parseResponses(text()).map(({ status, headers }) => ({ status, connection: headers.get('connection') })),
    ).toEqual([{ status: 200, connection: 'close' }]);
  });

  it('does not wait for idle connections, nor for those that browsers open in advance, and accepts no new one', async () => {
    await service.api.get('/v1/pets');
    await open();
    await stop(endlessMs);
    await expect(service.api.get('/healthz')).rejects.toThrow('fetch failed');
  });
});
