import { setTimeout as sleep } from 'node:timers/promises';
import { audit } from '../clients/audit.js';
import { WritingClients } from '../clients/writing-clients.js';
import type { Drill, Ground } from '../drill.js';
import { Service } from '../servers/service.js';
import { number, seconds, type Tally } from '../tally.js';

const writers = 16;
const restartMs = 3000;

export const killedService: Drill = {
  name: 'killed-service',
  about: 'SIGKILL of the service, of its PostgreSQL and of both, while 16 clients write',
  limitSeconds: 300,
  async run({ cleanup, isQuick }: Ground, tally: Tally): Promise<void> {
    const service = await Service.start(cleanup);
    const clients = new WritingClients({ clientOf: (_, options) => service.client(options), writers, tally });
    const rounds = isQuick ? 6 : 30;
    const restarts: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await clients.nextAcknowledged();
      await sleep(200 + Math.random() * 800);
      restarts.push(await kill(service, round));
    }
    await clients.nextAcknowledged();
    await audit(service.client(), await clients.finish(), tally);
    const longest = Math.max(...restarts);
    // A busy machine must not break a test.
    if (!isQuick)
      tally.expect(longest <= restartMs, `a restart took ${seconds(longest)}, more than ${seconds(restartMs)}`);
    tally.note(`${number(rounds)} kills, longest restart ${seconds(longest)}`);
  },
};

/** The service, its database, or both, in turn; how long it took until the service was ready again. */
async function kill(service: Service, round: number): Promise<number> {
  const victim = (['service', 'PostgreSQL', 'both'] as const)[round % 3];
  const begin = performance.now();
  if (victim !== 'service') process.kill(await service.postmasterPid(), 'SIGKILL');
  if (victim === 'PostgreSQL') return untilReady(service, begin);
  await service.end('SIGKILL');
  return service.start();
}

/** Not before it has noticed: for a moment it may still answer what it asked its database before. */
async function untilReady(service: Service, begin: number): Promise<number> {
  await sleep(100);
  for (;;) {
    const isReady = await service.fetch('/readyz').then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return performance.now() - begin;
    await sleep(20);
  }
}
