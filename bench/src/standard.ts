import { addAnimals, settle } from './animals.js';
import { MeasuredLoad, type Measurement } from './load.js';
import type { Options } from './options.js';
import { type Comparison, createScenarios, memoryGoal, type Scenario } from './scenarios.js';
import { figure, goalStatus, median, megabytes, table } from './table.js';
import { type Context, startPeer, startService, type Target, type TargetName } from './targets.js';

type Log = (line: string) => void;

/** The measurement of one server in one round of a scenario. */
interface Result {
  readonly scenario: Scenario;
  readonly target: TargetName;
  readonly round: number;
  readonly measured: Measurement;
}

/** The maximum growth in the second half of the load that counts as flat. */
const flat = 1.05;
const figureNames = { requestsPerSecond: 'requests/s', p50Ms: 'p50', p99Ms: 'p99' };

/** Measures the service and its peers. All run all the time; one at a time is loaded. Returns the text of the report. */
export async function runStandard(context: Context, options: Options, log: Log): Promise<string> {
  const [animals = 0] = options.animals;
  log(`Starting the servers, each with ${animals.toLocaleString('en')} animals.`);
  const service = await startService(context);
  const peers: Target[] = [];
  for (const name of options.peers) peers.push(await startPeer(context, name));
  for (const { database } of [service, ...peers]) {
    await addAnimals(database, { from: 1, to: animals });
    await settle(database);
  }
  const targets = new Map<TargetName, Target>([service, ...peers].map((target) => [target.name, target]));
  const scenarios = await createScenarios(service, options.peers, animals);
  const results: Result[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    // Scenarios are interleaved, so that changes in the machine's speed affect all equally.
    for (const scenario of scenarios) {
      const measured = await measureScenario({ context, options, targets, log }, scenario, round);
      results.push(...measured);
    }
  }
  const memory = await watchMemory({ context, options, service, log }, scenarios);
  return [printRows(scenarios, results), printComparisons(scenarios, results), memory].join('\n\n');
}

interface Setup {
  readonly context: Context;
  readonly options: Options;
  readonly targets: ReadonlyMap<TargetName, Target>;
  readonly log: Log;
}

/** Measures every server of a scenario, in turns. The order rotates with each round. */
async function measureScenario(setup: Setup, scenario: Scenario, round: number): Promise<Result[]> {
  const { context, options, targets, log } = setup;
  const first = round % scenario.targets.length;
  const order = [...scenario.targets.slice(first), ...scenario.targets.slice(0, first)];
  // Reversed in some rounds: PostgreSQL may still be busy with the writes of the previous server.
  if (Math.floor(round / order.length) % 2 === 1) order.reverse();
  const loads: MeasuredLoad[] = [];
  for (const name of order) {
    const target = targets.get(name) as Target;
    const { connections } = scenario;
    loads.push(await MeasuredLoad.start(context, target, { connections, exchanges: await scenario.exchanges(target) }));
  }
  const perTurn = (seconds: number) => (seconds * 1_000) / scenario.turns;
  for (let turn = 0; turn < scenario.turns; turn += 1) {
    for (const load of loads) await load.turn(perTurn(options.warmupSeconds), perTurn(options.seconds));
  }
  const results: Result[] = [];
  for (const [index, target] of order.entries()) {
    const measured = await (loads[index] as MeasuredLoad).end();
    log(`round ${round}: ${scenario.name}, ${target}: ${Math.round(measured.requestsPerSecond)} requests/s`);
    results.push({ scenario, target, round, measured });
  }
  return results;
}

/** Loads the service with all scenarios at once, and measures its memory. */
async function watchMemory(
  { context, options, service, log }: Omit<Setup, 'targets'> & { service: Target },
  scenarios: readonly Scenario[],
): Promise<string> {
  const seconds = options.memorySeconds;
  log(`Memory of the service: ${seconds} s of load.`);
  const concurrent = scenarios.filter(({ connections }) => connections > 1);
  const parts = await Promise.all(concurrent.map(({ exchanges }) => exchanges(service)));
  const longest = Math.max(...parts.map((part) => part.length));
  // Alternates between the scenarios.
  const mixed = Array.from({ length: longest }, (_, index) => parts.map((part) => part[index % part.length])).flat();
  const exchanges = mixed.filter((exchange) => exchange !== undefined);
  const load = await MeasuredLoad.start(context, service, { connections: 64, exchanges });
  await load.turn(0, seconds * 1_000);
  const { peakBytes } = await load.end();
  const samples = load.memory;
  const tenth = Math.ceil(samples.length / 10);
  const middleAt = Math.floor((samples.length - tenth) / 2);
  const middle = median(samples.slice(middleAt, middleAt + tenth));
  const end = median(samples.slice(-tenth));
  return (
    `Memory of the service, ${seconds} s with all scenarios at once: ${megabytes(samples[0] ?? 0)} MB at the start, ` +
    `${megabytes(middle)} in the middle, ${megabytes(end)} at the end (flat: ${goalStatus(end <= middle * flat)}), ` +
    `peak ${megabytes(peakBytes)} MB (≤ ${memoryGoal}: ${goalStatus(peakBytes <= memoryGoal * 1e6)}).`
  );
}

/** Medians over the rounds. Memory: the maximum. */
function printRows(scenarios: readonly Scenario[], results: readonly Result[]): string {
  const rows = scenarios.flatMap((scenario) =>
    scenario.targets.map((target) => {
      const measured = of(results, scenario, target).map((result) => result.measured);
      const over = (name: keyof Measurement) => median(measured.map((one) => one[name]));
      return [
        scenario.name,
        target,
        figure(over('requestsPerSecond')),
        figure(over('p50Ms'), 2),
        figure(over('p99Ms'), 2),
        figure(over('serverCpu'), 3),
        figure(over('postgresCpu'), 3),
        megabytes(Math.max(...measured.map(({ peakBytes }) => peakBytes))),
      ];
    }),
  );
  const head = ['scenario', 'server', 'requests/s', 'p50 ms', 'p99 ms', 'CPU s/1,000', 'PostgreSQL s/1,000', 'peak MB'];
  return table(head, rows);
}

/** Medians of the ratios of the rounds. */
function printComparisons(scenarios: readonly Scenario[], results: readonly Result[]): string {
  const rows = scenarios.flatMap((scenario) =>
    scenario.comparisons
      .filter(({ against }) => scenario.targets.includes(against))
      .map((comparison) => {
        const { against } = comparison;
        const others = of(results, scenario, against);
        const rounds = of(results, scenario, 'service').map(({ round, measured }) => {
          const other = others.find((result) => result.round === round);
          return measured[comparison.of] / (other?.measured[comparison.of] ?? Number.NaN);
        });
        const range = `${figure(Math.min(...rounds), 2)} to ${figure(Math.max(...rounds), 2)}`;
        const ratio = median(rounds);
        const name = figureNames[comparison.of];
        return [against, scenario.name, name, figure(ratio, 2), range, ...printGoal(comparison, ratio)];
      }),
  );
  return table(['service relative to', 'scenario', 'metric', 'ratio', 'rounds', 'goal', ''], rows);
}

function printGoal({ atLeast, atMost }: Comparison, ratio: number): [goal: string, status: string] {
  if (atLeast !== undefined) return [`≥ ${atLeast}`, goalStatus(ratio >= atLeast)];
  if (atMost !== undefined) return [`≤ ${atMost}`, goalStatus(ratio <= atMost)];
  return ['', ''];
}

function of(results: readonly Result[], scenario: Scenario, target: TargetName): readonly Result[] {
  return results.filter((result) => result.scenario === scenario && result.target === target);
}
