import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { audit } from '../clients/audit.js';
import { WritingClients } from '../clients/writing-clients.js';
import type { Drill, DrillContext } from '../drill.js';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { Service } from '../servers/service.js';
import { number, type Tally } from '../tally.js';

const processes = 4;
const equalPosts = 40;
const writers = 16;

export const severalServices: Drill = {
  name: 'several-services',
  about: 'four services that start concurrently on one empty database; one of them is killed',
  limitSeconds: 180,
  async run({ cleanup, isQuick }: DrillContext, tally: Tally): Promise<void> {
    const postgres = await PostgresServer.start(cleanup);
    const start = () => Service.start(cleanup, { variables: { DATABASE_URL: postgres.url() } });
    const services = await Promise.all(Array.from({ length: processes }, start));
    const acknowledged = new Map<string, bigint>();
    const rounds = isQuick ? 3 : 20;
    for (let round = 0; round < rounds; round += 1) await postEqually(services, acknowledged, tally);
    const reads = isQuick ? 40 : 400;
    for (let read = 0; read < reads; read += 1) await readElsewhere(services, acknowledged, tally);
    for (const [name, id] of await killOne(services, tally)) acknowledged.set(name, id);
    await audit(at(services, 1).client(), acknowledged, tally);
    tally.note(
      `${processes} services, ${number(rounds)} × ${equalPosts} equal posts, ${number(reads)} reads elsewhere`,
    );
  },
};

/** Sends equal creates with one idempotency key to all processes: only one animal may be created. */
async function postEqually(services: Service[], acknowledged: Map<string, bigint>, tally: Tally): Promise<void> {
  const idempotencyKey = randomUUID();
  const name = `posted ${equalPosts} times, ${idempotencyKey}`;
  const post = (_: unknown, turn: number) =>
    at(services, turn).client({ retries: 5 }).createPet({ name, categoryId: 1n }, { idempotencyKey });
  const pets = await Promise.all(Array.from({ length: equalPosts }, post));
  tally.acknowledged += 1;
  acknowledged.set(name, pets[0]?.id ?? 0n);
  const ids = new Set(pets.map(({ id }) => id));
  tally.expect(ids.size === 1, `equal creates returned ${ids.size} different animals`);
}

/** An animal that one process acknowledged must be in the lists of the others immediately. */
async function readElsewhere(services: Service[], acknowledged: Map<string, bigint>, tally: Tally): Promise<void> {
  const writer = acknowledged.size;
  const name = `read elsewhere ${writer}`;
  const { id } = await at(services, writer).client().createPet({ name, categoryId: 1n });
  tally.acknowledged += 1;
  acknowledged.set(name, id);
  const reader = at(services, writer + 1).client();
  const { pets } = await reader.listPets({ order: 'desc', limit: 1 }).page();
  tally.expect(pets[0]?.id === id, 'a list of another process lacks an acknowledged animal');
  tally.expect((await reader.getPet(id))?.name === name, 'another process did not find an acknowledged animal');
}

/** The clients of the killed process use the others, as behind a load balancer. Then it is restarted. */
async function killOne(services: Service[], tally: Tally): Promise<ReadonlyMap<string, bigint>> {
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
  await sleep(700);
  await victim?.end('SIGKILL');
  await sleep(700);
  await victim?.start();
  isAway = false;
  await sleep(300);
  return clients.finish();
}

function at<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length] as Item;
}
