import { connect } from 'node:net';
import { drill } from './drill.js';
import { fuzz } from './hostile/fuzz.js';
import { Service } from './servers/service.js';
import { megabytes, number } from './tally.js';

/** Relative to the memory after a tenth of the requests. */
const allowedGrowth = 1.3;

drill(
  'random and mutated requests, next to connections that send nothing',
  { timeout: 420_000 },
  async ({ cleanup, isQuick, tally }) => {
    // Some requests have wrong keys, which the rate limit must not hide.
    const variables = { AUTH_FAILURES_PER_MINUTE: '1000000' };
    const service = await Service.start(cleanup, { variables });
    await service.client().createPet({ name: 'Rex', categoryId: 7n });
    const silent = Array.from({ length: 200 }, () => connect(service.port, '127.0.0.1').on('error', () => undefined));
    const count = isQuick ? 3000 : 100_000;
    const { statuses, early, late } = await fuzz(service, count, tally);
    for (const socket of silent) socket.destroy();
    const added = await service.client().createPet({ name: 'Bella', categoryId: 7n });
    tally.expect(added.id > 1n && !service.hasEnded, 'the service no longer creates animals');
    tally.acknowledged = 2 + (statuses.get(201) ?? 0);
    const growth = `memory grew from ${megabytes(early)} to ${megabytes(late)}`;
    if (isQuick) tally.note('not checked: the growth of the memory');
    else tally.expect(late <= allowedGrowth * early, growth);
    tally.note(`${number(count)} requests: ${describe(statuses)}; ${growth}`);
  },
);

function describe(statuses: ReadonlyMap<number, number>): string {
  const sorted = [...statuses].toSorted(([a], [b]) => a - b);
  return sorted.map(([status, count]) => `${status === 0 ? 'no response' : status} ${number(count)}`).join(', ');
}
