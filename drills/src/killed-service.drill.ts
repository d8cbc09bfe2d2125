import { setTimeout as sleep } from 'node:timers/promises';
import { TestService } from '@petstore/test-kit/test-service.js';
import { expect, vi } from 'vitest';
import { drill, figures, isQuick } from './drill.js';
import { WritingClients } from './writing-clients.js';

const restartMs = 3000;
const victims = ['service', 'PostgreSQL', 'both'] as const;

drill(
  'SIGKILL of the service, of its PostgreSQL and of both, while 16 clients write',
  { timeout: 300_000 },
  async ({ annotate, cleanup }) => {
    const service = await TestService.start(cleanup);
    const clients = new WritingClients({ url: service.url, writers: 16 });
    const rounds = isQuick ? 3 : 30;
    let slowest = 0;
    for (let round = 0; round < rounds; round += 1) {
      await clients.nextAcknowledged();
      await sleep(200 + Math.random() * (isQuick ? 200 : 800));
      slowest = Math.max(slowest, await kill(service, victims[round % 3] ?? 'both'));
    }
    await clients.nextAcknowledged();
    await clients.audit(service.url);
    if (!isQuick) expect(slowest).toBeLessThanOrEqual(restartMs);
    await annotate(figures({ animals: clients.writes.count, kills: rounds, 'slowest restart in ms': slowest }));
  },
);

/** Returns the milliseconds until the service was ready again. */
async function kill(service: TestService, victim: (typeof victims)[number]): Promise<number> {
  const begin = performance.now();
  if (victim !== 'service') process.kill(Number(await service.postmasterPid()), 'SIGKILL');
  if (victim !== 'PostgreSQL') {
    await service.end('SIGKILL');
    return service.start();
  }
  // Until the service notices, it may use results from before.
  await sleep(100);
  await vi.waitUntil(() => service.isReady(), { timeout: 60_000, interval: 20 });
  return performance.now() - begin;
}
