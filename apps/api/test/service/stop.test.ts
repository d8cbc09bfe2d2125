import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive, ServiceProcess } from '../support/service-process.js';
import { WritingClients } from '../support/writing-clients.js';

let service: ServiceProcess;

beforeEach(async () => {
  service = await ServiceProcess.prepare();
  await service.start();
});
afterEach(() => service.remove());

describe.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('a service that gets %s', (signal) => {
  it('ends with 0 and takes its PostgreSQL along', async () => {
    const postmaster = await service.postmasterPid();
    expect(await service.end(signal)).toBe(0);
    expect(postmaster !== undefined && isAlive(postmaster)).toBe(false);
    expect(await service.postmasterPid()).toBeUndefined();
  });
});

describe('a service that gets SIGTERM under load', () => {
  it('answers what it accepted, and starts again with all of it', async () => {
    const clients = new WritingClients(service.api, 16);
    await sleep(1000);
    expect(await service.end('SIGTERM')).toBe(0);
    // What the clients had not been answered they send again.
    await service.start();
    const acknowledged = await clients.finish();
    const stored = await clients.storedAnimals();
    expect(clients.unexpected).toEqual([]);
    expect(new Map(stored.map(({ name, id }) => [name, id]))).toEqual(acknowledged);
    expect(stored.length).toBe(acknowledged.size);
  });

  it('ends within its grace when a client never finishes its request', async () => {
    await service.end('SIGTERM');
    const impatient = service.with({ SHUTDOWN_GRACE_MS: '300' });
    await impatient.start();
    const socket = await impatient.connect();
    socket.write('POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n');
    await sleep(100);
    expect(await impatient.end('SIGTERM')).toBe(0);
  });
});
