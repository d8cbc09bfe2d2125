import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { drain } from '../../src/platform/http/connections.js';
import { countLockWaits, createMigratedDatabase, holdPets, type ScratchDatabase } from '../support/scratch-database.js';
import { startOn, type TestApp } from '../support/test-app.js';

let database: ScratchDatabase;
let service: TestApp;
beforeEach(async () => {
  database = await createMigratedDatabase();
  service = await startOn(database.url);
});
afterEach(() => database.drop());

/** Closes the app and returns the milliseconds that took. */
async function drained(graceMs: number): Promise<number> {
  const start = performance.now();
  await drain(service.app, graceMs);
  return performance.now() - start;
}

describe('a graceful shutdown', () => {
  it('responds to the accepted request, and reads no further request of that connection', async () => {
    const hold = await holdPets(database.url);
    const responses = [service.api.get('/v1/pets'), service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 })];
    await expect.poll(() => countLockWaits(database.url)).toBe(2);
    const end = drained(10_000);
    await expect.poll(() => service.app.getHttpServer().listening).toBe(false);
    await hold.end();
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 201]);
    expect(await end).toBeLessThan(3000);
  });

  it('does not wait for idle connections', async () => {
    await service.api.get('/v1/pets');
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    expect(await drained(10_000)).toBeLessThan(3000);
  });

  it('accepts no new connection', async () => {
    await drained(10_000);
    await expect(service.api.get('/healthz')).rejects.toThrow('fetch failed');
  });

  it('closes the remaining connections after the grace period', async () => {
    const hold = await holdPets(database.url);
    const response = service.api.get('/v1/pets').catch((error: Error) => error.message);
    await once(service.app.getHttpServer(), 'request');
    const ms = await drained(300);
    expect(ms).toBeGreaterThanOrEqual(295);
    expect(ms).toBeLessThan(3000);
    expect(await response).toBe('fetch failed');
    await hold.end();
  });
});
