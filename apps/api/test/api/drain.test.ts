import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { drain } from '../../src/platform/http/server/drain.js';
import { countLockWaits, createMigratedDatabase, holdPets, type ScratchDatabase } from '../support/scratch-database.js';
import { startOn, type TestApp } from '../support/test-app.js';

let database: ScratchDatabase;
let service: TestApp;
beforeEach(async () => {
  database = await createMigratedDatabase();
  service = await startOn(database.url);
});
afterEach(() => database.drop());

const patient = { timeout: 10_000, interval: 20 };

/** Milliseconds until the app has ended. */
async function drained(graceMs: number): Promise<number> {
  const start = performance.now();
  await drain(service.app, graceMs);
  return performance.now() - start;
}

describe('a service that ends', () => {
  it('answers what it has accepted, and waits for no other request of that connection', async () => {
    const hold = await holdPets(database.url);
    const answers = [service.api.get('/v1/pets'), service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 })];
    await expect.poll(() => countLockWaits(database.url), patient).toBe(2);
    const end = drained(10_000);
    await expect.poll(() => service.app.getHttpServer().listening, patient).toBe(false);
    await hold.end();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 201]);
    expect(await end).toBeLessThan(3000);
  });

  it('does not wait for connections on which nothing happens', async () => {
    await service.api.get('/v1/pets');
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    expect(await drained(10_000)).toBeLessThan(3000);
  });

  it('accepts nothing new', async () => {
    await drained(10_000);
    await expect(service.api.get('/healthz')).rejects.toThrow('fetch failed');
  });

  it('cuts what is left when the grace is over', async () => {
    const hold = await holdPets(database.url);
    const answer = service.api.get('/v1/pets').catch((error: Error) => error.message);
    await once(service.app.getHttpServer(), 'request');
    const ms = await drained(300);
    expect(ms).toBeGreaterThanOrEqual(295);
    expect(ms).toBeLessThan(3000);
    expect(await answer).toBe('fetch failed');
    await hold.end();
  });
});
