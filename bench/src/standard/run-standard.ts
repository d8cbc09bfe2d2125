import { loadInTurns, type TargetLoad } from '../measure/load-target.js';
import type { Options } from '../options.js';
import type { Context } from '../targets/start-targets.js';
import type { TargetName } from '../targets/target.js';
import { checkLoadTool } from './load-tool-check.js';
import { watchMemory } from './memory-run.js';
import type { Result } from './result.js';
import type { Scenario } from './scenarios.js';
import { loadOf, type Log, setUp, type Setup, targetOf } from './setup.js';
import { type StandardReport, summarize } from './standard-report.js';

/** Measures the service and its peers. All run all the time; one at a time is loaded. */
export async function runStandard(context: Context, options: Options, log: Log): Promise<StandardReport> {
  const setup = await setUp(context, options, log);
  const scenarios = setup.scenarios.filter(({ group }) => options.only.includes(group));
  const results: Result[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    // Scenarios are interleaved, so that changes in the machine's speed affect all equally.
    for (const scenario of scenarios) results.push(...(await measureScenario(setup, scenario, round)));
  }
  const loadTool = await checkLoadTool(setup, results);
  return {
    ...summarize(scenarios, results),
    loadTool,
    memory: options.memorySeconds > 0 ? await watchMemory(setup) : undefined,
  };
}

/** Measures every server of a scenario. The order rotates with each round. */
async function measureScenario(setup: Setup, scenario: Scenario, round: number): Promise<Result[]> {
  const { name, turns, targets } = scenario;
  const first = round % targets.length;
  const order = [...targets.slice(first), ...targets.slice(0, first)];
  // Reversed in some rounds: PostgreSQL may still be busy with the writes of the previous server.
  if (Math.floor(round / targets.length) % 2 === 1) order.reverse();
  const results: Result[] = [];
  // Each server has its own load process, unless they take turns.
  for (const targetNames of turns > 1 ? [order] : order.map((target) => [target])) {
    const loads: TargetLoad[] = [];
    for (const targetName of targetNames) {
      const target = targetOf(setup, targetName);
      loads.push({ target, load: loadOf(setup, scenario, await scenario.exchanges(target)) });
    }
    const measurements = await loadInTurns(loads, turns, setup.postgresPid);
    for (const [index, measured] of measurements.entries()) {
      const target = targetNames[index] as TargetName;
      setup.log(`round ${round}: ${name}, ${target}: ${Math.round(measured.requestsPerSecond)} requests/s`);
      results.push({ scenario: name, target, round, measured });
    }
  }
  return results;
}
