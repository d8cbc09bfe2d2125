import { setTimeout as sleep } from 'node:timers/promises';
import { audit, WritingClients } from './clients/writing-clients.js';
import { at, equalPosts, postEqually, readElsewhere } from './clients/several-services.js';
import { drill } from './drill.js';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { Service } from './servers/service.js';
import { number, type Tally } from './tally.js';

const processes = 4;
const writers = 16;

drill(
  'four services that start concurrently on one empty database; one of them is killed',
  { timeout: 180_000 },
  async ({ cleanup, isQuick, tally }) => {
    const postgres = await PostgresServer.start(cleanup);
    const start = () => Service.start(cleanup, { variables: { DATABASE_URL: postgres.url() } });
    const services = await Promise.all(Array.from({ length: processes }, start));
    const acknowledged = new Map<string, bigint>();
    const rounds = isQuick ? 3 : 20;
    for (let round = 0; round < rounds; round += 1) await postEqually(services, acknowledged, tally);
    const reads = isQuick ? 40 : 400;
    for (let read = 0; read < reads; read += 1) await readElsewhere(services, acknowledged, tally);
    for (const [name, id] of await killOne(services, tally, isQuick ? 200 : 700)) acknowledged.set(name, id);
    await audit(at(services, 1).client(), acknowledged, tally);
    tally.note(
      `${processes} services, ${number(rounds)} × ${equalPosts} equal posts, ${number(reads)} reads elsewhere`,
    );
  },
);

/** The clients of the killed process use the others, as behind a load balancer. Then it is restarted. */
async function killOne(services: Service[], tally: Tally, phaseMs: number): Promise<ReadonlyMap<string, bigint>> {
  const [victim, ...others] = services;
  let isAway = false;
  const fetchFrom = (writer: number, fetch: typeof globalThis.fetch): typeof globalThis.fetch => {
    return (_, init) => {
      const service = isAway ? at(others, writer) : at(services, writer);
      return fetch(`${service.url}/v1/pets`, init).catch((error: unknown) => {
        isAway ||= service === victim;
        throw error;
      });
    };
  };
  const clients = new WritingClients({
    clientOf: (writer, options) =>
      at(others, 0).client({ ...options, fetch: fetchFrom(writer, options.fetch ?? globalThis.fetch) }),
    writers,
    tally,
  });
  await sleep(phaseMs);
  await victim?.end('SIGKILL');
  await sleep(phaseMs);
  await victim?.start();
  isAway = false;
  await sleep(phaseMs);
  return clients.finish();
}
