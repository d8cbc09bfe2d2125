import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import type { Client } from 'pg';
import { audit, WritingClients } from './clients/writing-clients.js';
import { now } from './clock.js';
import { drill } from './drill.js';
import { Service } from './servers/service.js';
import { seconds, type Tally } from './tally.js';

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

/** A path that needs no database. */
const livePath = '/healthz';
/** That path, then one request of each kind that needs the database. */
const paths = [livePath, '/readyz', '/v1/pets?limit=1', '/v1/pets?status=sold', '/v1/pets?id=1', '/v1/pets/1'] as const;
const counted = { headers: { prefer: 'count=exact' } };
const intervalMs = 200;

interface ProbeResult {
  path: string;
  status: number;
  ms: number;
}

/** Sends requests of all kinds every 200 ms during a fault, without waiting for responses. */
class Probes {
  readonly #results: Promise<ProbeResult>[] = [];
  readonly #end = new AbortController();
  readonly #sending: Promise<void>;

  constructor(
    private readonly service: Service,
    private readonly tally: Tally,
  ) {
    this.#sending = this.#send();
  }

  /** Stops sending. Resolves to all results after the last response. */
  async finish(): Promise<ProbeResult[]> {
    this.#end.abort();
    await this.#sending;
    return Promise.all(this.#results);
  }

  async #send(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      for (const path of paths) this.#results.push(this.#request(path));
      this.#results.push(this.#request('/v1/pets?limit=2', counted));
      await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #request(path: string, init?: RequestInit): Promise<ProbeResult> {
    const begin = now();
    try {
      const response = await this.service.fetch(path, init);
      const text = await response.text();
      const ms = now() - begin;
      this.#check(path, response, text);
      return { path, status: response.status, ms };
    } catch (error) {
      const ms = now() - begin;
      this.tally.wrong.push(`${path} got no response in ${seconds(ms)}: ${(error as Error).message}`);
      return { path, status: 0, ms };
    }
  }

  #check(path: string, { status, ok, headers }: Response, text: string): void {
    if (ok || status === 404) return;
    const mayReject = path !== livePath;
    if (status !== 503 || !mayReject) {
      return void this.tally.wrong.push(`${path} returned ${status}: ${text.slice(0, 200)}`);
    }
    this.tally.rejected += 1;
    this.tally.expect(headers.has('retry-after'), `${path} returned 503 without Retry-After`);
    const body = JSON.parse(text) as object;
    this.tally.expect(Object.keys(body).join() === 'code,message,status', `${path} returned ${text.slice(0, 200)}`);
  }
}
