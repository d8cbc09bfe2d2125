import { watchMemory } from '@petstore/test-kit/process-usage.js';
import { load, type LoadResult } from './load.js';
import { figure, median, table } from './table.js';
import {
  addAnimals,
  type Context,
  type Options,
  startPeer,
  startService,
  type Target,
  type TargetName,
} from './targets.js';
import { createRequests, getRequests, listRequests, mixPages } from './traffic.js';

/** One kind of load, for all servers in turn. */
interface Scenario {
  name: string;
  connections: number;
  requests: (target: Target) => readonly string[];
  /** The rows of the table. */
  metrics: readonly (keyof typeof metrics)[];
  /** The ratio of the service to `handwritten` that should be reached, in the first row. */
  goal: string;
}

const metrics = {
  perSecond: { label: 'requests/s', digits: 0 },
  processorUs: { label: 'processor µs', digits: 0 },
  p50Ms: { label: 'p50 ms', digits: 2 },
} as const;

/** The speed of a shared machine changes over minutes, so many short rounds compare best. */
const defaultRounds = 15;
const times = { ms: 1_000, warmupMs: 500 };
const memoryMs = 60_000;
const animals = 200_000;

/** Compares the service with its peers. All run all the time; one at a time is loaded. Returns the text of the report. */
export async function runStandard(context: Context, options: Options): Promise<string> {
  const { isWithBun, only, rounds = defaultRounds } = options;
  const service = await startService(context);
  const targets = [service, await startPeer(context, 'handwritten')];
  if (isWithBun) targets.push(await startPeer(context, 'bun'));
  for (const { database } of targets) await addAnimals(database, animals);
  const scenarios = (await createScenarios(service)).filter(({ name }) => name.includes(only));
  const text = await compare(targets, scenarios, rounds);
  const memory = only === '' ? await measureMemory(service, scenarios) : '';
  return `${text}\n\nMedians of ${rounds} rounds. A ratio is the median of the ratios, not the ratio of the medians.\n${memory}`;
}

/** Measures each scenario on each target, of which the service is the first. Returns a table. */
async function compare(targets: readonly Target[], scenarios: readonly Scenario[], rounds: number): Promise<string> {
  const results = new Map<string, LoadResult[]>();
  for (let round = 1; round <= rounds; round += 1) {
    // Scenarios are interleaved, so that changes in the machine's speed affect all equally.
    for (const [index, { name, connections, requests }] of scenarios.entries()) {
      const first = (round + index) % targets.length;
      for (const target of [...targets.slice(first), ...targets.slice(0, first)]) {
        const result = await load(target, { connections, requests: requests(target), ...times });
        console.error(`round ${round}: ${name}, ${target.name}: ${Math.round(result.perSecond)} requests/s`);
        const key = `${name}, ${target.name}`;
        results.set(key, [...(results.get(key) ?? []), result]);
      }
    }
  }
  const peers = targets.slice(1).map(({ name }) => name);
  const head = ['scenario', 'service', ...peers, ...peers.map((peer) => `÷ ${peer}`)];
  const rows = scenarios.flatMap((scenario) => printRows(scenario, peers, results));
  return table(head, rows);
}

async function createScenarios(service: Target): Promise<Scenario[]> {
  const [mix, gets, creates] = [await mixPages(service), getRequests(animals), createRequests()];
  const path = '/v1/pets?limit=20&status=available';
  const samePage = (target: Target) => listRequests(target, [{ service: path, peer: path }]);
  const many = { connections: 64, metrics: ['perSecond', 'processorUs'] } as const;
  // Batching must not delay a single client.
  const one = { connections: 1, metrics: ['p50Ms'], goal: '≤ 1.5' } as const;
  const mixed = (target: Target) => listRequests(target, mix);
  return [
    { ...many, name: 'list, same page', requests: samePage, goal: '≥ 2' },
    { ...many, name: 'list, mixed pages', requests: mixed, goal: '≥ 1.3' },
    { ...many, name: 'get, random ids', requests: () => gets, goal: '≥ 1.6' },
    { ...many, name: 'create', requests: () => creates, goal: '≥ 1.6' },
    { ...one, name: 'list, one client', requests: samePage },
    { ...one, name: 'get, one client', requests: () => gets },
    { ...one, name: 'create, one client', requests: () => creates },
  ];
}

/** Medians over the rounds. The ratios are medians of the ratios of the rounds. */
function printRows(scenario: Scenario, peers: readonly TargetName[], results: ReadonlyMap<string, LoadResult[]>) {
  return scenario.metrics.map((metric, row) => {
    const { label, digits } = metrics[metric];
    const of = (target: TargetName) =>
      (results.get(`${scenario.name}, ${target}`) ?? []).map((result) => result[metric]);
    const values = (['service', ...peers] as const).map((target) => figure(median(of(target)), digits));
    const ratios = peers.map((peer) => {
      const ratio = median(of('service').map((value, round) => value / (of(peer)[round] ?? Number.NaN)));
      const hasGoal = row === 0 && peer === 'handwritten';
      return `${figure(ratio, 2)}${hasGoal ? ` (${scenario.goal})` : ''}`;
    });
    return [`${scenario.name}, ${label}`, ...values, ...ratios];
  });
}

/** Loads the service with all scenarios at once, and measures its memory. */
async function measureMemory(service: Target, scenarios: readonly Scenario[]): Promise<string> {
  console.error(`Memory of the service: ${memoryMs / 1_000} s of load.`);
  const stopWatching = watchMemory(service.server.pid);
  const loads = scenarios.map(({ requests }) =>
    load(service, { connections: 9, requests: requests(service), warmupMs: 0, ms: memoryMs }),
  );
  await Promise.all(loads);
  const peak = Math.max(...stopWatching()) / 1e6;
  return `Memory of the service: at most ${figure(peak)} MB (≤ 200 MB), with all scenarios at once for ${memoryMs / 1_000} s.`;
}
