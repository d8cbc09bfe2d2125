import { setTimeout as sleep } from 'node:timers/promises';
import { PlainWriters } from './clients/plain-writers.js';
import { drill } from './drill.js';
import { Service } from './servers/service.js';
import { number, type Tally } from './tally.js';

const writers = 16;

drill('SIGTERM while 16 clients write without retries', { timeout: 180_000 }, async ({ cleanup, isQuick, tally }) => {
  const service = await Service.start(cleanup);
  const rounds = isQuick ? 2 : 10;
  let unanswered = 0;
  for (let round = 0; round < rounds; round += 1) {
    const clients = new PlainWriters(service, tally, { writers, prefix: `in round ${round}` });
    await sleep(500 + Math.random() * 500);
    const code = await service.end('SIGTERM');
    tally.expect(code === 0, `the service exited with ${code}`);
    await clients.finish();
    await service.start();
    await check(service, clients, tally);
    unanswered += clients.unanswered.length;
  }
  tally.note(`${number(rounds)} stops, ${number(unanswered)} requests not accepted`);
});

/** A request without a response must not have been accepted, so its animal must not be stored. */
async function check(service: Service, { acknowledged, unanswered }: PlainWriters, tally: Tally): Promise<void> {
  const stored = new Map<string, bigint>();
  for await (const { id, name } of service.client().listPets({ limit: 100 })) stored.set(name, id);
  for (const [name, id] of acknowledged) if (stored.get(name) !== id) tally.lost += 1;
  for (const name of unanswered) tally.expect(!stored.has(name), 'a create was accepted but got no response');
}
