import { spawnSync } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@petstore/processes/server-process.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { drill, requirePrograms } from './drill.js';
import { Service } from './servers/service.js';
import { type Tally, number } from './tally.js';
import { fileURLToPath } from 'node:url';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import { readAndReplace, ownProgram } from './servers/program.js';

/** The rates below look at the last 10 seconds. */
const trafficMs = 10_000;
/** There are none here, so that an expression about them has no result. */
const aboutErrors = 'status=~"5.."';

drill(
  'Prometheus with the configuration, the alerts and the dashboard of deploy/monitoring',
  { timeout: 120_000 },
  async ({ cleanup, tally, skip }) => {
    requirePrograms(skip, ['prometheus']);
    const metricsPort = await freePort();
    const variables = { METRICS_PORT: String(metricsPort), BACKUP_DIRECTORY: await temporaryDirectory(cleanup) };
    const service = await Service.start(cleanup, { variables });
    const directory = await configure(cleanup, metricsPort);
    expectAccepted(['check', 'config', join(directory, 'prometheus.yml')], tally);
    expectAccepted(['test', 'rules', join(directory, 'alerts.test.yml')], tally);
    const query = await startPrometheus(cleanup, directory);
    await sendTraffic(service, tally);
    const expressions = [...(await dashboardExpressions()), ...(await alertExpressions(query, tally))];
    for (const expression of expressions) {
      const { data } = await query<{ result: unknown[] }>(`query?query=${encodeURIComponent(expression)}`);
      const isExpected = expression.includes(aboutErrors) || (data?.result.length ?? 0) > 0;
      tally.expect(isExpected, `no result: ${expression}`);
    }
    tally.note(`${number(expressions.length)} expressions of the dashboard and the alerts have a result`);
  },
);

function expectAccepted(args: readonly string[], tally: Tally): void {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  tally.expect(status === 0, `promtool ${args.join(' ')}: ${stdout}${stderr}`);
}

/** Every kind of request that the dashboard shows. */
async function sendTraffic(service: Service, tally: Tally): Promise<void> {
  const wrongKey = { headers: { authorization: `Bearer psk_${'x'.repeat(43)}` } };
  for (const begin = performance.now(); performance.now() - begin < trafficMs; await sleep(100)) {
    await service.client().createPet({ name: 'Rex', categoryId: 7n });
    tally.acknowledged += 1;
    for (const path of ['/v1/pets', '/v1/pets/1']) await service.fetch(path);
    await service.fetch('/v1/pets', wrongKey);
  }
}

async function dashboardExpressions(): Promise<string[]> {
  const text = await readFile(join(monitoring, 'grafana-dashboard.json'), 'utf8');
  const { panels } = JSON.parse(text) as { panels: { targets: { expr: string }[] }[] };
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  return expressions.map((expr) => expr.replaceAll('$__rate_interval', '10s').replaceAll('$instance', '.*'));
}

/** The expressions of the alerts without their thresholds. */
async function alertExpressions(query: Query, tally: Tally): Promise<string[]> {
  interface Rule {
    name: string;
    query: string;
    health: string;
    state: string;
  }
  const { data } = await query<{ groups: { rules: Rule[] }[] }>('rules');
  const rules = data?.groups.flatMap((group) => group.rules) ?? [];
  tally.expect(rules.length > 0, 'Prometheus loaded no alerts');
  for (const { name, health, state } of rules) {
    tally.expect(health === 'ok' && state !== 'firing', `the alert ${name} is ${health} and ${state}`);
  }
  return rules.map((rule) => rule.query.replace(/ (?:[<>]|==) [^<>=]+$/, ''));
}

const monitoring = fileURLToPath(new URL('../../deploy/monitoring', import.meta.url));

interface Answer<Data> {
  status: 'success' | 'error';
  data?: Data;
}

/** Calls the API of Prometheus. */
type Query = <Data>(path: string) => Promise<Answer<Data>>;

/** Copies the configuration with the port of this service and a shorter interval. Returns the directory. */
async function configure(cleanup: Cleanup, metricsPort: number): Promise<string> {
  const directory = await temporaryDirectory(cleanup);
  await cp(monitoring, directory, { recursive: true });
  const text = await readAndReplace(join(monitoring, 'prometheus.yml'), {
    '127.0.0.1:9464': `127.0.0.1:${metricsPort}`,
    'scrape_interval: 15s': 'scrape_interval: 500ms\n  evaluation_interval: 1s',
  });
  await writeFile(join(directory, 'prometheus.yml'), text);
  return directory;
}

/** Starts Prometheus with the configuration in a directory. */
async function startPrometheus(cleanup: Cleanup, directory: string): Promise<Query> {
  const port = await freePort();
  const options = [
    `--config.file=${join(directory, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(directory, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  await ownProgram(cleanup, ['prometheus', ...options]);
  return async <Data>(path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
    return (await response.json()) as Answer<Data>;
  };
}
