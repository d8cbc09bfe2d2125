import { isAlive } from '@petstore/processes/postmaster.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PendingCreate, stopDuringCreates } from '../support/pending-create.js';
import { TestService } from '../support/test-service.js';
import { WritingClients } from '../support/writing-clients.js';

let service: TestService;

beforeAll(async () => {
  service = (await TestService.prepare()).with({ SHUTDOWN_GRACE_MS: '60000' });
});
beforeEach(async () => void (await service.start()));
afterEach(async () => void (await service.end('SIGTERM')));
afterAll(() => service.remove());

describe.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('a service that gets %s', (signal) => {
  it('exits with 0 and stops its PostgreSQL', async () => {
    const postmaster = Number(await service.postmasterPid());
    expect(postmaster).toBeGreaterThan(0);
    expect(await service.end(signal)).toBe(0);
    expect(isAlive(postmaster)).toBe(false);
    expect(await service.postmasterPid()).toBeUndefined();
  });
});

describe('a service that gets SIGTERM under load', () => {
  it('responds to the requests that it has accepted', async () => {
    expect(await stopDuringCreates(service)).toEqual({ statuses: new Set([201]), exitCode: 0 });
  });

  it('starts again with each animal that was acknowledged, once', async () => {
    const clients = new WritingClients(service.api, 16);
    await expect.poll(() => clients.acknowledged.size).toBeGreaterThan(100);
    expect(await service.end('SIGTERM')).toBe(0);
    // The clients retry the requests that got no answer.
    await service.start();
    const acknowledged = await clients.finish();
    const stored = (await clients.storedAnimals()).filter(({ name }) => name !== 'Rex');
    expect(clients.unexpected).toEqual([]);
    expect(new Map(stored.map(({ name, id }) => [name, id]))).toEqual(acknowledged);
    expect(stored.length).toBe(acknowledged.size);
  });

  it('waits for its grace, and no longer, when a client never finishes its request', async () => {
    await service.end('SIGTERM');
    await service.with({ SHUTDOWN_GRACE_MS: '1000' }).start();
    await PendingCreate.open(service);
    const begin = performance.now();
    expect(await service.end('SIGTERM')).toBe(0);
    const ms = performance.now() - begin;
    expect(ms).toBeGreaterThanOrEqual(995);
    expect(ms).toBeLessThan(10_000);
  });
});
