import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { audit } from './clients/writing-clients.js';
import { now } from './clock.js';
import { drill, type DrillContext, requirePrograms } from './drill.js';
import { type Proxy, startCaddy, startHaproxy, startNginx } from './proxies/proxies.js';
import { connectTo, type ProxyClient } from './proxies/client.js';
import { Service } from './servers/service.js';
import { number, seconds, type Tally } from './tally.js';

const proxies = { nginx: startNginx, Caddy: startCaddy, HAProxy: startHaproxy };
const restarts = 4;
/** Between the restarts of two services. */
const pauseMs = 2000;

type ProxyName = keyof typeof proxies;
type Context = Pick<DrillContext, 'cleanup' | 'isQuick' | 'tally'>;

drill(
  'restarts of two services behind nginx, Caddy and HAProxy, and of one behind Caddy, under load without retries',
  { timeout: 900_000 },
  async ({ cleanup, isQuick, tally, skip }) => {
    requirePrograms(skip, ['caddy', 'haproxy', 'nginx', 'openssl']);
    const names = Object.keys(proxies) as ProxyName[];
    for (const proxy of names) await restartInTurn({ proxy, count: 2 }, { cleanup, isQuick, tally });
    await restartInTurn({ proxy: 'Caddy', count: 1 }, { cleanup, isQuick, tally });
  },
);

/** The settings of a service behind this proxy, as docs/operate.md names them. */
async function documentedSettings(proxy: string): Promise<Record<string, string>> {
  const text = await readFile(new URL('../../docs/operate.md', import.meta.url), 'utf8');
  const row = text.split('\n').find((line) => line.startsWith(`| ${proxy} `)) ?? '';
  const settings = [...row.matchAll(/(SHUTDOWN_\w+)=(\d+)/g)].map(([, name, value]) => [name, value]);
  if (settings.length === 0) throw new Error(`docs/operate.md has no settings for ${proxy}.`);
  return Object.fromEntries(settings) as Record<string, string>;
}

interface Setup {
  readonly proxy: ProxyName;
  /** The number of services. While a single one restarts, the proxy queues the requests. */
  readonly count: 1 | 2;
}

async function restartInTurn({ proxy: name, count }: Setup, { cleanup, isQuick, tally }: Context): Promise<void> {
  const row = count === 1 ? `${name}, 1 service` : name;
  const settings = await documentedSettings(row);
  // A single service has an embedded database, which stops with it.
  const database = count === 1 ? {} : { DATABASE_URL: (await PostgresServer.start(cleanup)).url() };
  const start = () => Service.start(cleanup, { variables: { ...database, ...settings } });
  const first = await start();
  const services = count === 1 ? [first] : [first, await start()];
  const proxy = await proxies[name]({ cleanup, upstreams: services.map(({ port }) => port) });
  const load = await ProxyLoad.start(proxy, tally);
  let slowestMs = 0;
  for (let restart = 0; restart < (isQuick ? 1 : restarts); restart += 1) {
    await sleep(pauseMs);
    const service = services[restart % count] ?? first;
    const begin = performance.now();
    tally.expect((await service.end('SIGTERM')) === 0, `a service behind ${row} did not exit with 0`);
    await service.start();
    slowestMs = Math.max(slowestMs, performance.now() - begin);
  }
  await sleep(pauseMs);
  const { requests, failed, longestMs } = await load.finish(isQuick || count === 1 ? 0 : 10_000);
  const times = `the longest took ${seconds(longestMs)}, the slowest restart ${seconds(slowestMs)}`;
  tally.note(`${row}: ${failed} of ${number(requests)} failed, ${times}`);
  await audit(first.client(), load.acknowledged, tally);
  for (const service of services) await service.end('SIGTERM');
}

const connections = 16;

/** Clients that send lists and creates through a proxy, one after the other, without an idempotency key and retries. */
class ProxyLoad {
  /** The created animals: name to id. */
  readonly acknowledged = new Map<string, bigint>();
  #requests = 0;
  #failed = 0;
  #longestMs = 0;
  /** The clients stop at this number of requests. */
  #limit = Infinity;
  readonly #running: Promise<void>[];

  private constructor(
    private readonly proxy: Proxy,
    clients: ProxyClient[],
    private readonly tally: Tally,
  ) {
    this.#running = clients.map((client, index) => this.#send(client, index));
  }

  static async start(proxy: Proxy, tally: Tally): Promise<ProxyLoad> {
    const clients = await Promise.all(Array.from({ length: connections }, () => connectTo(proxy)));
    return new ProxyLoad(proxy, clients, tally);
  }

  /** Stops the clients when they have sent at least this many requests. */
  async finish(minRequests: number) {
    this.#limit = minRequests;
    await Promise.all(this.#running);
    return { requests: this.#requests, failed: this.#failed, longestMs: this.#longestMs };
  }

  async #send(client: ProxyClient, index: number): Promise<void> {
    for (let turn = 0; this.#requests < this.#limit; turn += 1) {
      this.#requests += 1;
      const begin = now();
      const name = `animal ${turn} of client ${index} behind ${this.proxy.name}`;
      await (turn % 5 === 0 ? this.#create(client, name) : this.#list(client)).catch((error: unknown) => {
        this.#fail(`${String(error)} after ${Math.round(now() - begin)} ms`);
      });
      this.#longestMs = Math.max(this.#longestMs, now() - begin);
    }
    client.close();
  }

  async #list(client: ProxyClient): Promise<void> {
    const { status, body } = await client.get('/v1/pets?limit=10');
    if (status !== 200) this.#fail(`a list returned ${status}: ${body.slice(0, 200)}`);
  }

  async #create(client: ProxyClient, name: string): Promise<void> {
    const { status, body } = await client.post('/v1/pets', JSON.stringify({ name, categoryId: 7 }));
    if (status !== 201) return this.#fail(`a create returned ${status}: ${body.slice(0, 200)}`);
    this.tally.acknowledged += 1;
    this.acknowledged.set(name, BigInt(/"id":(\d+)/.exec(body)?.[1] ?? 0));
  }

  #fail(failure: string): void {
    this.#failed += 1;
    this.tally.wrong.push(`${this.proxy.name}: ${failure}`);
  }
}
