import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { now } from './clock.js';
import { drill, type DrillContext, requirePrograms } from './drill.js';
import { clientAddress, connectTo, type ProxyClient, type ProxyResponse } from './proxies/client.js';
import { type Proxy, type ProxyOptions, startCaddy, startNginx } from './proxies/proxies.js';
import { openForwardingPort } from './servers/forwarding-port.js';
import { Service } from './servers/service.js';
import type { Tally } from './tally.js';

const animal = JSON.stringify({ name: 'Rex', categoryId: 7 });
const requests = 200;
const aboveServiceLimit = 80_000;
const aboveProxyLimit = 2_000_000;
const unreadyMs = 10_000;

drill(
  'Caddy and nginx with the configurations of deploy/: TLS, client addresses, connections, body limits, no database',
  { timeout: 240_000 },
  async ({ cleanup, tally, skip }) => {
    requirePrograms(skip, ['caddy', 'nginx', 'openssl']);
    await Promise.all([startCaddy, startNginx].map((start) => checkProxy(start, { cleanup, tally })));
  },
);

type Start = (options: ProxyOptions) => Promise<Proxy>;
type Context = Pick<DrillContext, 'cleanup' | 'tally'>;

async function checkProxy(start: Start, { cleanup, tally }: Context): Promise<void> {
  const postgres = await PostgresServer.start(cleanup);
  const variables = { DATABASE_URL: postgres.url(), TRUST_PROXY: '1', LOG_LEVEL: 'info' };
  const service = await Service.start(cleanup, { variables });
  const counted = await openForwardingPort(cleanup, { host: '127.0.0.1', port: service.port });
  const proxy = await start({ cleanup, upstreams: [counted.port] });
  const client = await connectTo(proxy);
  await checkRequests(client, { proxy, tally });
  const connections = counted.count();
  tally.expect(connections <= 5, `${proxy.name} opened ${connections} connections for ${requests} requests`);
  const addresses = new Set(service.output.match(/(?<="path":"\/v1\/pets".*"address":")[^"]+/g));
  tally.expect(
    addresses.size === 1 && addresses.has(clientAddress),
    `behind ${proxy.name} the log shows the addresses ${[...addresses].join(', ')} instead of ${clientAddress}`,
  );
  await postgres.stop('SIGINT');
  await checkPages(client, { proxy, tally });
  await service.end('SIGTERM');
  expectError(await client.get('/v1/pets'), 503, { proxy, tally });
  client.close();
  tally.note(`${proxy.name}: ${connections} connections for ${requests} requests`);
}

interface Check {
  readonly proxy: Proxy;
  readonly tally: Tally;
}

async function checkRequests(client: ProxyClient, { proxy, tally }: Check): Promise<void> {
  for (let index = 0; index < requests; index += 1) {
    const { status } = index % 2 === 0 ? await client.post('/v1/pets', animal) : await client.get('/v1/pets?limit=1');
    if (status === 201) tally.acknowledged += 1;
    tally.expect(status === 201 || status === 200, `${proxy.name} returned ${status}`);
  }
  for (const size of [aboveServiceLimit, aboveProxyLimit]) {
    const body = JSON.stringify({ name: 'x'.repeat(size), categoryId: 7 });
    expectError(await client.post('/v1/pets', body), 413, { proxy, tally });
  }
}

/** Without its database, the service is not ready, and still serves the admin. */
async function checkPages(client: ProxyClient, { proxy, tally }: Check): Promise<void> {
  const begin = now();
  while ((await client.get('/readyz')).status === 200 && now() - begin < unreadyMs) await sleep(50);
  expectError(await client.get('/v1/pets'), 503, { proxy, tally });
  const { status, type } = await client.get('/');
  tally.expect(status === 200 && type.startsWith('text/html'), `${proxy.name} returned ${status} ${type} for /`);
}

/** The proxy must not replace errors of the API with its own pages. */
function expectError({ status, type, body }: ProxyResponse, expected: number, { proxy, tally }: Check): void {
  const isError = type.startsWith('application/json') && (JSON.parse(body) as { status: number }).status === expected;
  tally.expect(
    status === expected && isError,
    `${proxy.name} returned ${status} ${type} instead of ${expected}: ${body}`,
  );
}
