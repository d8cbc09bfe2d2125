import { setTimeout as sleep } from 'node:timers/promises';
import { audit } from '../clients/audit.js';
import { livePath, type ProbeResult, Probes } from '../clients/probes.js';
import { WritingClients } from '../clients/writing-clients.js';
import { now } from '../clock.js';
import type { Drill, Ground } from '../drill.js';
import { type DatabaseFault, databaseFaults } from '../faults/database-fault.js';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { Service } from '../servers/service.js';
import { seconds, type Tally } from '../tally.js';

const writers = 8;
const workingMs = 500;
const answerMs = 5000;
const recoveryMs = 5000;
const givenUpMs = 30_000;

/** The service with clients that write to it and ask it, and its database. */
interface Stage {
  postgres: PostgresServer;
  service: Service;
  clients: WritingClients;
  tally: Tally;
  awayMs: number;
}

export const databaseAway: Drill = {
  name: 'database-away',
  about: 'a database that is stopped, frozen, restarted, cut off, full of connections, read-only',
  limitSeconds: 240,
  async run({ cleanup, isQuick }: Ground, tally: Tally): Promise<void> {
    const postgres = await PostgresServer.start(cleanup, ['max_connections = 40']);
    const service = await Service.start(cleanup, { variables: { DATABASE_URL: postgres.url() } });
    const clients = new WritingClients({ clientOf: (_, options) => service.client(options), writers, tally });
    const stage = { postgres, service, clients, tally, awayMs: isQuick ? 3000 : 8000 };
    const recoveries: number[] = [];
    let slowestMs = 0;
    for (const fault of databaseFaults) {
      const { recovery, slowest } = await meet(stage, fault);
      recoveries.push(recovery);
      slowestMs = Math.max(slowestMs, slowest);
    }
    tally.expect(!service.hasEnded, 'the service ended');
    await audit(service.client(), await clients.finish(), tally);
    const longest = Math.max(...recoveries);
    tally.note(
      `${databaseFaults.length} faults, slowest answer ${seconds(slowestMs)}, slowest recovery ${seconds(longest)}`,
    );
  },
};

async function meet(stage: Stage, fault: DatabaseFault): Promise<{ recovery: number; slowest: number }> {
  const { postgres, service, clients, tally, awayMs } = stage;
  await clients.nextAcknowledged();
  await sleep(workingMs);
  const probes = new Probes(service, tally);
  await fault.begin(postgres);
  if (fault.stops !== undefined) await sleep(awayMs);
  await expectKeysKnown(service, fault, tally);
  const inFault = probes.finish();
  await fault.end(postgres);
  const recovery = await untilServing(stage);
  tally.expect(recovery <= recoveryMs, `${fault.name}: it recovered after ${seconds(recovery)}`);
  const results = await inFault;
  if (fault.stops === 'everything') expectNotReady(results, fault, tally);
  const slowest = Math.max(...results.map(({ ms }) => ms));
  // What needs no database tells how long the machine kept the service from answering.
  const heldMs = Math.max(0, ...results.filter(({ path }) => path === livePath).map(({ ms }) => ms));
  for (const { path, ms } of results) {
    const limitMs = path === livePath ? answerMs : answerMs + heldMs;
    tally.expect(ms <= limitMs, `${fault.name}: ${path} was answered after ${seconds(ms)}`);
  }
  return { recovery, slowest };
}

function expectNotReady(results: ProbeResult[], { name }: DatabaseFault, tally: Tally): void {
  const hasTurned = results.some(({ path, status }) => path === '/readyz' && status === 503);
  tally.expect(hasTurned, `${name}: /readyz did not turn`);
}

/** A wrong key is told apart from a good one, whatever becomes of the request. */
async function expectKeysKnown(service: Service, { name }: DatabaseFault, tally: Tally): Promise<void> {
  const wrong = await service.fetch('/v1/pets', { headers: { authorization: 'Bearer a-key-that-nobody-has-made' } });
  await wrong.text();
  tally.expect(wrong.status === 401 || wrong.status === 429, `${name}: a wrong key was answered ${wrong.status}`);
  const good = await service.fetch('/v1/nothing');
  await good.text();
  tally.expect(good.status === 404, `${name}: a good key was answered ${good.status} on an unknown path`);
}

/** Ready, and animals are added again: counted from the database's return, in milliseconds. */
async function untilServing({ service, clients }: Stage): Promise<number> {
  const begin = now();
  for (; !(await isReady(service)); await sleep(50)) {
    if (now() - begin > givenUpMs) throw new Error('it does not recover');
  }
  await clients.nextAcknowledged();
  return now() - begin;
}

async function isReady(service: Service): Promise<boolean> {
  const answer = await service.fetch('/readyz').catch(() => undefined);
  await answer?.text();
  return answer?.ok === true;
}
