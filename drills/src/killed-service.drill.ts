import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import { audit, WritingClients } from './clients/writing-clients.js';
import { drill } from './drill.js';
import { Service } from './servers/service.js';
import { number, seconds } from './tally.js';

const writers = 16;
const restartMs = 3000;

const victims = ['service', 'PostgreSQL', 'both'] as const;
type Victim = (typeof victims)[number];

drill(
  'SIGKILL of the service, of its PostgreSQL and of both, while 16 clients write',
  { timeout: 300_000 },
  async ({ cleanup, isQuick, tally }) => {
    const service = await Service.start(cleanup);
    const clients = new WritingClients({ clientOf: (_, options) => service.client(options), writers, tally });
    const rounds = isQuick ? victims.length : 30;
    const longest = new Map<Victim, number>(victims.map((victim) => [victim, 0]));
    for (let round = 0; round < rounds; round += 1) {
      await clients.nextAcknowledged();
      await sleep(200 + Math.random() * (isQuick ? 200 : 800));
      const victim = victims[round % victims.length] ?? 'both';
      longest.set(victim, Math.max(longest.get(victim) ?? 0, await kill(service, victim)));
    }
    await clients.nextAcknowledged();
    await audit(service.client(), await clients.finish(), tally);
    const limit = `every restart takes at most ${seconds(restartMs)}`;
    // The short form runs in tests, which must pass on a busy machine.
    if (isQuick) tally.note(`not checked: ${limit}`);
    else tally.expect(Math.max(...longest.values()) <= restartMs, `not true: ${limit}`);
    const restarts = [...longest].map(([victim, ms]) => `${victim} ${seconds(ms)}`);
    tally.note(`${number(rounds)} kills, slowest restarts ${restarts.join(', ')}`);
  },
);

/** Returns the milliseconds until the service was ready again. */
async function kill(service: Service, victim: Victim): Promise<number> {
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
