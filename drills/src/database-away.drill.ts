import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import type { Client } from 'pg';
import { vi } from 'vitest';
import { audit, WritingClients } from './clients/writing-clients.js';
import { now } from './clock.js';
import { drill } from './drill.js';
import { Service } from './servers/service.js';
import { seconds, type Tally } from './tally.js';

const writers = 8;
const workingMs = 500;
const responseMs = 5000;
const recoveryMs = 5000;

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
  const stopProbes = startProbes(service, tally);
  await fault.begin(postgres);
  if (fault.stops !== undefined) await sleep(awayMs);
  await expectKeysRecognized(service, fault, tally);
  const inFault = stopProbes();
  await fault.end?.(postgres);
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
  await vi.waitUntil(() => service.isReady(), { timeout: 30_000, interval: 50 });
  await clients.nextAcknowledged();
  return now() - begin;
}

/** A fault of the database, and its end. */
interface DatabaseFault {
  readonly name: string;
  /** What does not work during the fault. Without it, the fault ends immediately. */
  readonly stops?: 'everything' | 'writes';
  begin(server: PostgresServer): Promise<void>;
  end?(server: PostgresServer): Promise<void>;
}

const databaseFaults: readonly DatabaseFault[] = [
  {
    name: 'stopped fast',
    stops: 'everything',
    begin: (server) => server.stop('SIGINT'),
    end: (server) => server.start(),
  },
  {
    name: 'stopped at once',
    stops: 'everything',
    begin: (server) => server.stop('SIGQUIT'),
    end: (server) => server.start(),
  },
  { name: 'frozen', stops: 'everything', begin: (server) => server.freeze(), end: (server) => server.thaw() },
  { name: 'restarted', begin: (server) => server.stop('SIGINT').then(() => server.start()) },
  { name: 'connections cut', begin: cutConnections },
  exhaustion(),
  {
    name: 'read-only',
    stops: 'writes',
    begin: rejectCreates,
    end: async (server) => void (await server.query('DROP FUNCTION reject_create CASCADE')),
  },
];

const ofService = `application_name LIKE 'petstore%'`;
const terminate = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${ofService}`;

async function cutConnections(server: PostgresServer): Promise<void> {
  for (let time = 0; time < 10; time += 1) {
    await server.query(terminate);
    await sleep(50);
  }
}

/** With the error of a read-only server. The service overrides the setting default_transaction_read_only. */
async function rejectCreates(server: PostgresServer): Promise<void> {
  await server.query(`CREATE FUNCTION reject_create() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'read_only_sql_transaction'; END $$`);
  await server.query('CREATE TRIGGER reject_create BEFORE INSERT ON pet EXECUTE FUNCTION reject_create()');
}

/** Other clients take every connection, including those of the service. */
function exhaustion(): DatabaseFault {
  const taken: Client[] = [];
  const takeAll = async (server: PostgresServer) => {
    for (;;) {
      const client = await server.connect().catch(() => undefined);
      if (!client) return;
      taken.push(client);
    }
  };
  return {
    name: 'no connection left',
    stops: 'everything',
    async begin(server) {
      const first = await server.connect();
      taken.push(first);
      // Repeat if the service reconnected first.
      do {
        await first.query(terminate);
        await takeAll(server);
      } while ((await first.query(`SELECT FROM pg_stat_activity WHERE ${ofService}`)).rowCount !== 0);
    },
    async end() {
      await Promise.all(taken.splice(0).map((client) => client.end()));
    },
  };
}

/** A path that needs no database. */
const livePath = '/healthz';
/** That path, then one request of each kind that needs the database. */
const requests: readonly (readonly [path: string, headers?: Record<string, string>])[] = [
  [livePath],
  ['/readyz'],
  ['/v1/pets?limit=1'],
  ['/v1/pets?status=sold'],
  ['/v1/pets?id=1'],
  ['/v1/pets/1'],
  ['/v1/pets?limit=2', { prefer: 'count=exact' }],
];
const intervalMs = 200;

interface ProbeResult {
  path: string;
  status: number;
  ms: number;
}

/** Sends all requests every 200 ms, without waiting for responses. Call the returned function to stop, and for the results. */
function startProbes(service: Service, tally: Tally): () => Promise<ProbeResult[]> {
  const results: Promise<ProbeResult>[] = [];
  const send = () => {
    for (const [path, headers = {}] of requests) results.push(probe(path, { service, headers, tally }));
  };
  send();
  const interval = setInterval(send, intervalMs);
  return () => {
    clearInterval(interval);
    return Promise.all(results);
  };
}

interface Probe {
  readonly service: Service;
  readonly headers: Record<string, string>;
  readonly tally: Tally;
}

async function probe(path: string, { service, headers, tally }: Probe): Promise<ProbeResult> {
  const begin = now();
  try {
    const response = await service.fetch(path, { headers });
    const text = await response.text();
    const ms = now() - begin;
    checkResponse(path, response, { text, tally });
    return { path, status: response.status, ms };
  } catch (error) {
    const ms = now() - begin;
    tally.wrong.push(`${path} got no response in ${seconds(ms)}: ${(error as Error).message}`);
    return { path, status: 0, ms };
  }
}

function checkResponse(
  path: string,
  { status, ok, headers }: Response,
  { text, tally }: { text: string; tally: Tally },
) {
  if (ok || status === 404) return;
  if (status !== 503 || path === livePath) {
    tally.wrong.push(`${path} returned ${status}: ${text.slice(0, 200)}`);
    return;
  }
  tally.rejected += 1;
  tally.expect(headers.has('retry-after'), `${path} returned 503 without Retry-After`);
  const members = Object.keys(JSON.parse(text) as object).join();
  tally.expect(members === 'code,message,status', `${path} returned ${text.slice(0, 200)}`);
}
