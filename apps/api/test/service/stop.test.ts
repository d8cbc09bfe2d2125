import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pet } from '@petstore/contracts';
import { execute } from '@petstore/test-kit/database.js';
import { isAlive } from '@petstore/test-kit/postmaster.js';
import { apiKey, type TestService } from '@petstore/test-kit/test-service.js';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createOf, openSocket } from '../support/raw-http.js';
import { apiOf, prepareWithCluster } from '../support/service.js';

/**
 * Starts a create that the service accepts. It waits for the body, which no database timeout ends.
 * Returns a function that sends the body and returns the status of the response.
 */
async function startCreate(): Promise<() => Promise<number>> {
  const [head, body] = createOf(apiKey, 'Expect: 100-continue');
  const socket = openSocket(service.url);
  socket.write(head);
  expect(String(await once(socket, 'data'))).toContain('100 Continue');
  return async () => {
    socket.write(body);
    const [response] = (await once(socket, 'data')) as [Buffer];
    return Number(String(response).split(' ')[1]);
  };
}

let service: TestService;

beforeAll(async () => {
  service = await prepareWithCluster();
});
afterEach(async () => void (await service.end('SIGTERM')));
afterAll(() => service.remove());

/** Starts the service. Returns the pid of its PostgreSQL. */
async function start(shutdownGraceMs = 60_000): Promise<number> {
  await service.with({ SHUTDOWN_GRACE_MS: String(shutdownGraceMs) }).start();
  const postmaster = Number(await service.postmasterPid());
  expect(postmaster).toBeGreaterThan(0);
  return postmaster;
}

async function expectStopped(postmaster: number): Promise<void> {
  expect(isAlive(postmaster)).toBe(false);
  expect(await service.postmasterPid()).toBeUndefined();
}

it('a service that gets SIGHUP while a client does not finish its request ends its grace, and stops its PostgreSQL', async () => {
  const postmaster = await start(1000);
  await startCreate();
  expect(await service.end('SIGHUP')).toBe(0);
  await expectStopped(postmaster);
});

it('a service with SHUTDOWN_DELAY_MS is not ready after SIGTERM, closes each connection with its response, and ends at the second signal', async () => {
  await service.with({ SHUTDOWN_DELAY_MS: '600000' }).start();
  const ended = service.end('SIGTERM');
  await expect.poll(async () => (await service.fetch('/readyz')).status).toBe(503);
  expect((await service.fetch('/readyz')).headers.get('retry-after')).toBe('1');
  for (const path of ['/v1/pets', '/docs']) {
    const { status, headers } = await service.fetch(path);
    expect({ path, status, connection: headers.get('connection') }).toEqual({ path, status: 200, connection: 'close' });
  }
  // A second signal within 1 s counts as the same: Ctrl-C reaches a process twice.
  await sleep(1100);
  process.kill(service.pid, 'SIGTERM');
  expect(await ended).toBe(1);
  service.with({ SHUTDOWN_DELAY_MS: '0' });
});

it('SIGTERM under load: the service responds to what it has accepted, and then has exactly what it confirmed', async () => {
  const postmaster = await start();
  const creates = await Promise.all(Array.from({ length: 16 }, startCreate));
  const acknowledged = new Map<unknown, unknown>();
  // Each writer ends when the service accepts no more requests.
  const writers = Array.from({ length: 16 }, async (_, writer) => {
    for (let number = 0; ; number += 1) {
      const name = `animal ${number} of writer ${writer}`;
      const response = await apiOf(service)
        .post('/v1/pets', { name, categoryId: 7 })
        .catch(() => undefined);
      if (!response) return;
      expect(response.status).toBe(201);
      acknowledged.set(name, (response.json as Pet).id);
    }
  });
  await expect.poll(() => acknowledged.size).toBeGreaterThan(100);
  const ended = service.end('SIGTERM');
  await Promise.all(writers);
  expect(new Set(await Promise.all(creates.map((complete) => complete())))).toEqual(new Set([201]));
  expect(await ended).toBe(0);
  await expectStopped(postmaster);

  await start();
  const stored = await execute(await service.databaseUrl(), `SELECT name, id FROM pet WHERE name <> 'Rex'`);
  expect(new Map(stored.map(({ name, id }) => [name, BigInt(String(id))]))).toEqual(acknowledged);
  expect(stored.length).toBe(acknowledged.size);
});
