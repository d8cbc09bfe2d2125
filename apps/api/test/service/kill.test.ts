import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../support/service-process.js';
import { WritingClients } from '../support/writing-clients.js';

const rounds = 10;
let service: ServiceProcess;

beforeAll(async () => {
  service = await ServiceProcess.prepare();
  await service.start();
});
afterAll(() => service.remove());

const kills = {
  service: () => killService(),
  PostgreSQL: () => killPostmaster(),
  everything: async () => {
    await killPostmaster();
    await killService();
  },
};

async function killService(): Promise<void> {
  await service.end('SIGKILL');
  await service.start();
}

async function killPostmaster(): Promise<void> {
  const pid = await service.postmasterPid();
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
}

describe('a killed service', () => {
  it(`has every acknowledged animal exactly once after ${rounds} kills under 16 writing clients`, async () => {
    const clients = new WritingClients(service.api, 16);
    const victims = Object.values(kills);
    for (let round = 0; round < rounds; round += 1) {
      await sleep(200 + Math.random() * 600);
      await victims[round % victims.length]?.();
    }
    await sleep(1000);
    const acknowledged = await clients.finish();
    const stored = await clients.storedAnimals();

    expect(acknowledged.size).toBeGreaterThan(100);
    expect(stored.length).toBe(acknowledged.size);
    expect(new Map(stored.map(({ name, id }) => [name, id]))).toEqual(acknowledged);
  });
});
