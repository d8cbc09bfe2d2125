import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { audit } from './clients/audit.js';
import { ProxyLoad } from './clients/proxy-load.js';
import { requirePrograms } from './container/requirements.js';
import { drill, type DrillContext } from './drill.js';
import { startCaddy } from './proxies/caddy.js';
import { startHaproxy } from './proxies/haproxy.js';
import { startNginx } from './proxies/nginx.js';
import { Service } from './servers/service.js';
import { number, seconds } from './tally.js';

const proxies = { nginx: startNginx, Caddy: startCaddy, HAProxy: startHaproxy };
const restarts = 4;
/** Between the restarts of two services. */
const pauseMs = 2000;

type Context = Pick<DrillContext, 'cleanup' | 'isQuick' | 'tally'>;

drill(
  'restarts of two services behind nginx, Caddy and HAProxy, and of one behind Caddy, under load without retries',
  { timeout: 900_000 },
  async ({ cleanup, isQuick, tally, skip }) => {
    requirePrograms(skip, ['caddy', 'haproxy', 'nginx', 'openssl']);
    for (const proxy of Object.keys(proxies) as (keyof typeof proxies)[]) {
      await restartInTurn(proxy, { cleanup, isQuick, tally });
    }
    await restartAlone({ cleanup, isQuick, tally });
  },
);

/** The settings of a service behind this proxy, as docs/upgrade.md names them. */
async function documentedSettings(proxy: string): Promise<Record<string, string>> {
  const text = await readFile(new URL('../../docs/upgrade.md', import.meta.url), 'utf8');
  const row = text.split('\n').find((line) => line.startsWith(`| ${proxy} `)) ?? '';
  const settings = [...row.matchAll(/(SHUTDOWN_\w+)=(\d+)/g)].map(([, name, value]) => [name, value]);
  if (settings.length === 0) throw new Error(`docs/upgrade.md has no settings for ${proxy}.`);
  return Object.fromEntries(settings) as Record<string, string>;
}

async function restartInTurn(name: keyof typeof proxies, { cleanup, isQuick, tally }: Context): Promise<void> {
  const postgres = await PostgresServer.start(cleanup);
  const variables = { DATABASE_URL: postgres.url(), ...(await documentedSettings(name)) };
  const services = [await Service.start(cleanup, { variables }), await Service.start(cleanup, { variables })];
  const proxy = await proxies[name]({ cleanup, upstreams: services.map(({ port }) => port) });
  const load = await ProxyLoad.start(proxy, tally);
  for (let restart = 0; restart < (isQuick ? 1 : restarts); restart += 1) {
    await sleep(pauseMs);
    const service = services[restart % services.length];
    tally.expect((await service?.end('SIGTERM')) === 0, `a service behind ${proxy.name} did not exit with 0`);
    await service?.start();
  }
  await sleep(pauseMs);
  const { requests, failed, longestMs } = await load.finish(isQuick ? 0 : 10_000);
  tally.note(`${proxy.name}: ${failed} of ${number(requests)} failed, the longest took ${seconds(longestMs)}`);
  const [first] = services;
  if (first) await audit(first.client(), load.acknowledged, tally);
  for (const service of services) await service.end('SIGTERM');
}

/** The proxy queues the requests until the service is back. */
async function restartAlone({ cleanup, isQuick, tally }: Context): Promise<void> {
  const service = await Service.start(cleanup, { variables: await documentedSettings('Caddy, 1 service') });
  const proxy = await startCaddy({ cleanup, upstreams: [service.port] });
  const load = await ProxyLoad.start(proxy, tally);
  let slowestMs = 0;
  for (let restart = 0; restart < (isQuick ? 1 : restarts); restart += 1) {
    await sleep(pauseMs);
    const begin = performance.now();
    await service.end('SIGTERM');
    await service.start();
    slowestMs = Math.max(slowestMs, performance.now() - begin);
  }
  await sleep(pauseMs);
  const { requests, failed, longestMs } = await load.finish(0);
  tally.note(
    `one service behind ${proxy.name}: ${failed} of ${number(requests)} failed, the longest took ${seconds(longestMs)}, ` +
      `the slowest restart ${seconds(slowestMs)}`,
  );
  await audit(service.client(), load.acknowledged, tally);
}
