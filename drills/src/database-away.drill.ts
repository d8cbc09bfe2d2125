import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from '@petstore/test-kit/postgres-server.js';
import { TestService } from '@petstore/test-kit/test-service.js';
import { expect, vi } from 'vitest';
import { now } from './clock.js';
import { drill, figures, isQuick } from './drill.js';
import { WritingClients } from './writing-clients.js';

const responseMs = 5000;
const recoveryMs = 5000;

drill(
  'a database that is stopped, frozen, restarted, disconnected, out of connections or read-only',
  { timeout: 240_000 },
  async ({ annotate, cleanup }) => {
    const server = await PostgresServer.start(cleanup, ['max_connections = 40']);
    const service = await TestService.start(cleanup, { DATABASE_URL: server.url() });
    const clients = new WritingClients({ url: service.url, writers: 8 });
    let [slowestMs, slowestRecoveryMs] = [0, 0];
    for (const { name, stops, begin, end } of faults) {
      await clients.nextAcknowledged();
      await sleep(500);
      const stopProbes = startProbes(service);
      await begin(server);
      if (stops) await sleep(isQuick ? 3000 : 8000);
      await expectKeysRecognized(service);
      const stopped = stopProbes();
      await end?.(server);
      const returned = now();
      await vi.waitUntil(() => service.isReady(), { timeout: 30_000, interval: 50 });
      await clients.nextAcknowledged();
      slowestRecoveryMs = Math.max(slowestRecoveryMs, now() - returned);
      const probes = await stopped;
      slowestMs = Math.max(slowestMs, ...probes.map(({ ms }) => ms));
      const wrong = probes.filter(({ isAllowed, ms }) => !isAllowed || ms > responseMs);
      expect(wrong, `${name}: wrong or late responses`).toEqual([]);
      const isUnready = probes.some(({ path, status }) => path === '/readyz' && status === 503);
      if (stops === 'everything') expect(isUnready, `${name}: /readyz returned 503`).toBe(true);
    }
    expect(slowestRecoveryMs).toBeLessThanOrEqual(recoveryMs);
    expect(service.hasEnded).toBe(false);
    await clients.audit(service.url);
    const slowest = { 'slowest response in ms': slowestMs, 'slowest recovery in ms': slowestRecoveryMs };
    await annotate(figures({ animals: clients.writes.count, faults: faults.length, ...slowest }));
  },
);

/** The service still distinguishes valid and unknown keys. */
async function expectKeysRecognized(service: TestService): Promise<void> {
  const unknown = await service.fetch('/v1/pets', { headers: { authorization: 'Bearer an-unknown-key' } });
  expect([401, 429]).toContain(unknown.status);
  expect((await service.fetch('/v1/nothing')).status).toBe(404);
}

/** A fault of the database, and its end. */
interface Fault {
  name: string;
  /** What it prevents until its end. */
  stops?: 'everything' | 'writes';
  begin: (server: PostgresServer) => Promise<void>;
  end?: (server: PostgresServer) => Promise<unknown>;
}

/** Connections of other clients, which take all that the server has. */
const taken: Awaited<ReturnType<PostgresServer['connect']>>[] = [];

const faults: readonly Fault[] = [
  {
    name: 'stopped',
    stops: 'everything',
    begin: (server) => server.stop('SIGQUIT'),
    end: (server) => server.start(),
  },
  { name: 'frozen', stops: 'everything', begin: (server) => server.freeze(), end: (server) => server.thaw() },
  { name: 'restarted', begin: (server) => server.stop('SIGINT').then(() => server.start()) },
  { name: 'connections cut', begin: cutConnections },
  {
    name: 'no connection left',
    stops: 'everything',
    begin: takeConnections,
    end: () => Promise.all(taken.splice(0).map((client) => client.end())),
  },
  {
    name: 'read-only',
    stops: 'writes',
    begin: (server) => server.demote(),
    end: (server) => server.query('SELECT pg_promote()'),
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

async function takeConnections(server: PostgresServer): Promise<void> {
  const first = await server.connect();
  taken.push(first);
  // Repeat if the service reconnected first.
  do {
    await first.query(terminate);
    for (let client; (client = await server.connect().catch(() => undefined));) taken.push(client);
  } while ((await first.query(`SELECT FROM pg_stat_activity WHERE ${ofService}`)).rowCount !== 0);
}

/** Without the database, only `/healthz` must succeed. The others are one request of each kind that needs it. */
const queries = ['?limit=1', '?limit=2', '?status=sold', '?id=1', '/1'];
const paths = ['/healthz', '/readyz', ...queries.map((query) => `/v1/pets${query}`)];

interface Probe {
  readonly path: string;
  readonly status: number;
  readonly text: string;
  readonly ms: number;
  readonly isAllowed: boolean;
}

/** Sends all requests every 200 ms, without waiting for responses. Call the returned function to stop, and for the results. */
function startProbes(service: TestService): () => Promise<Probe[]> {
  const probes: Promise<Probe>[] = [];
  const send = () => probes.push(...paths.map((path) => probe(service, path)));
  send();
  const interval = setInterval(send, 200);
  return () => {
    clearInterval(interval);
    return Promise.all(probes);
  };
}

async function probe(service: TestService, path: string): Promise<Probe> {
  const begin = now();
  try {
    const headers: Record<string, string> = path.endsWith('limit=2') ? { prefer: 'count=exact' } : {};
    const response = await service.fetch(path, { headers });
    const text = await response.text();
    const { status } = response;
    return { path, status, text, ms: now() - begin, isAllowed: mayReturn(path, response, text) };
  } catch (error) {
    return { path, status: 0, text: String(error), ms: now() - begin, isAllowed: false };
  }
}

function mayReturn(path: string, { ok, status, headers }: Response, text: string): boolean {
  if (status !== 503 || path === '/healthz') return ok || status === 404;
  return headers.has('retry-after') && Object.keys(JSON.parse(text) as object).join() === 'code,message,status';
}
