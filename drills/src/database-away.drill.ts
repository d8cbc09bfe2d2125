import { setTimeout as sleep } from 'node:timers/promises';
import { audit } from './clients/audit.js';
import { type ProbeResult, Probes, livePath } from './clients/probes.js';
import { WritingClients } from './clients/writing-clients.js';
import { now } from './clock.js';
import { drill } from './drill.js';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { Service } from './servers/service.js';
import { type Tally, seconds } from './tally.js';
import type { Client } from 'pg';

const writers = 8;
const workingMs = 500;
const responseMs = 5000;
const recoveryMs = 5000;
const recoveryTimeoutMs = 30_000;

/** The running service, its database and its clients. */
interface Setup {
  postgres: PostgresServer;
  service: Service;
  clients: WritingClients;
  tally: Tally;
  awayMs: number;
}

drill(
  'a database that is stopped, frozen, restarted, disconnected, out of connections or read-only',
  { timeout: 240_000 },
  async ({ cleanup, isQuick, tally }) => {
    const postgres = await PostgresServer.start(cleanup, ['max_connections = 40']);
    const service = await Service.start(cleanup, { variables: { DATABASE_URL: postgres.url() } });
    const clients = new WritingClients({ clientOf: (_, options) => service.client(options), writers, tally });
    const setup = { postgres, service, clients, tally, awayMs: isQuick ? 3000 : 8000 };
    const recoveries: number[] = [];
    let slowestMs = 0;
    for (const fault of databaseFaults) {
      const { recovery, slowest } = await runFault(setup, fault);
      recoveries.push(recovery);
      slowestMs = Math.max(slowestMs, slowest);
    }
    tally.expect(!service.hasEnded, 'the service process ended');
    await audit(service.client(), await clients.finish(), tally);
    const longest = Math.max(...recoveries);
    tally.note(
      `${databaseFaults.length} faults, slowest response ${seconds(slowestMs)}, slowest recovery ${seconds(longest)}`,
    );
  },
);

async function runFault(setup: Setup, fault: DatabaseFault): Promise<{ recovery: number; slowest: number }> {
  const { postgres, service, clients, tally, awayMs } = setup;
  await clients.nextAcknowledged();
  await sleep(workingMs);
  const probes = new Probes(service, tally);
  await fault.begin(postgres);
  if (fault.stops !== undefined) await sleep(awayMs);
  await expectKeysRecognized(service, fault, tally);
  const inFault = probes.finish();
  await fault.end(postgres);
  const recovery = await untilServing(setup);
  tally.expect(recovery <= recoveryMs, `${fault.name}: recovery took ${seconds(recovery)}`);
  const results = await inFault;
  if (fault.stops === 'everything') expectNotReady(results, fault, tally);
  const slowest = Math.max(...results.map(({ ms }) => ms));
  // A path without the database shows how long the machine delayed the service.
  const heldMs = Math.max(0, ...results.filter(({ path }) => path === livePath).map(({ ms }) => ms));
  for (const { path, ms } of results) {
    const limitMs = path === livePath ? responseMs : responseMs + heldMs;
    tally.expect(ms <= limitMs, `${fault.name}: ${path} took ${seconds(ms)}`);
  }
  return { recovery, slowest };
}

function expectNotReady(results: ProbeResult[], { name }: DatabaseFault, tally: Tally): void {
  const isUnready = results.some(({ path, status }) => path === '/readyz' && status === 503);
  tally.expect(isUnready, `${name}: /readyz did not return 503`);
}

/** The service still distinguishes valid and unknown keys. */
async function expectKeysRecognized(service: Service, { name }: DatabaseFault, tally: Tally): Promise<void> {
  const unknown = await service.fetch('/v1/pets', { headers: { authorization: 'Bearer an-unknown-key' } });
  await unknown.text();
  tally.expect(unknown.status === 401 || unknown.status === 429, `${name}: an unknown key got ${unknown.status}`);
  const valid = await service.fetch('/v1/nothing');
  await valid.text();
  tally.expect(valid.status === 404, `${name}: a valid key got ${valid.status} on an unknown path`);
}

/** Waits until the service is ready and creates animals again. Returns the milliseconds since the database's return. */
async function untilServing({ service, clients }: Setup): Promise<number> {
  const begin = now();
  for (; !(await isReady(service)); await sleep(50)) {
    if (now() - begin > recoveryTimeoutMs) throw new Error('The service did not recover.');
  }
  await clients.nextAcknowledged();
  return now() - begin;
}

async function isReady(service: Service): Promise<boolean> {
  const response = await service.fetch('/readyz').catch(() => undefined);
  await response?.text();
  return response?.ok === true;
}

/** A fault of the database, and its end. */
interface DatabaseFault {
  readonly name: string;
  /** What does not work during the fault. `undefined`: the fault ends immediately. */
  readonly stops: 'everything' | 'writes' | undefined;
  begin(postgres: PostgresServer): Promise<void>;
  end(postgres: PostgresServer): Promise<void>;
}

const nothing = () => Promise.resolve();
const ofService = `application_name LIKE 'petstore%'`;
const terminate = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${ofService}`;

const databaseFaults: readonly DatabaseFault[] = [
  {
    name: 'stopped fast',
    stops: 'everything',
    begin: (postgres) => postgres.stop('SIGINT'),
    end: (postgres) => postgres.start(),
  },
  {
    name: 'stopped immediately',
    stops: 'everything',
    begin: (postgres) => postgres.stop('SIGQUIT'),
    end: (postgres) => postgres.start(),
  },
  { name: 'frozen', stops: 'everything', begin: (postgres) => postgres.freeze(), end: (postgres) => postgres.thaw() },
  {
    name: 'restarted',
    stops: undefined,
    begin: (postgres) => postgres.stop('SIGINT').then(() => postgres.start()),
    end: nothing,
  },
  { name: 'connections cut', stops: undefined, begin: cutConnections, end: nothing },
  exhaustion(),
  {
    name: 'read-only',
    stops: 'writes',
    begin: (postgres) => setReadOnly(postgres, true),
    end: (postgres) => setReadOnly(postgres, false),
  },
];

async function cutConnections(postgres: PostgresServer): Promise<void> {
  const client = await postgres.connect();
  for (let time = 0; time < 10; time += 1) {
    await client.query(terminate);
    await sleep(50);
  }
  await client.end();
}

async function setReadOnly(postgres: PostgresServer, isReadOnly: boolean): Promise<void> {
  const client = await postgres.connect();
  await client.query('SET default_transaction_read_only = off');
  await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}

/** Other clients take every connection, including those of the service. */
function exhaustion(): DatabaseFault {
  let taken: Client[] = [];
  const takeAll = async (postgres: PostgresServer) => {
    for (;;) {
      const client = await postgres.connect().catch(() => undefined);
      if (!client) return;
      taken.push(client);
    }
  };
  return {
    name: 'no connection left',
    stops: 'everything',
    async begin(postgres) {
      taken = [await postgres.connect()];
      // Repeat if the service reconnected first.
      for (let left = 1; left > 0;) {
        await taken[0]?.query(terminate);
        await takeAll(postgres);
        left = (await taken[0]?.query(`SELECT FROM pg_stat_activity WHERE ${ofService}`))?.rowCount ?? 0;
      }
    },
    async end() {
      await Promise.all(taken.splice(0).map((client) => client.end()));
    },
  };
}
