import { loadInTurns, type TargetLoad } from '../measure/load-target.js';
import type { Options } from '../options.js';
import type { Ground } from '../targets/start-targets.js';
import type { TargetName } from '../targets/target.js';
import { checkLoadTool } from './load-tool-check.js';
import { watchMemory } from './memory-run.js';
import type { Result } from './result.js';
import type { Scenario } from './scenarios.js';
import { loadOf, type Say, setStage, type Stage, targetOf } from './stage.js';
import { type StandardReport, summarize } from './standard-report.js';

/** The service beside its peers: all are up all the time, and one at a time is loaded. */
export async function runStandard(ground: Ground, options: Options, say: Say): Promise<StandardReport> {
  const stage = await setStage(ground, options, say);
  const chosen = stage.scenarios.filter(({ group }) => options.only.includes(group));
  const results: Result[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    // Interleaved, so that drift of the machine hits all alike.
    for (const scenario of chosen) results.push(...(await meet(stage, scenario, round)));
  }
  const loadTool = await checkLoadTool(stage, results);
  return {
    ...summarize(chosen, results),
    loadTool,
    memory: options.memorySeconds > 0 ? await watchMemory(stage) : undefined,
  };
}

/** Every server of a scenario in turn; another one is the first in each round. */
async function meet(stage: Stage, scenario: Scenario, round: number): Promise<Result[]> {
  const { name, turns, targets } = scenario;
  const first = round % targets.length;
  const order = [...targets.slice(first), ...targets.slice(0, first)];
  // So that none is always behind the same one, whose writes PostgreSQL may still be tidying up.
  if (Math.floor(round / targets.length) % 2 === 1) order.reverse();
  const results: Result[] = [];
  // Each with a load process of its own, but where they take turns.
  for (const together of turns > 1 ? [order] : order.map((target) => [target])) {
    const loads: TargetLoad[] = [];
    for (const targetName of together) {
      const target = targetOf(stage, targetName);
      loads.push({ target, load: loadOf(stage, scenario, await scenario.exchanges(target)) });
    }
    const measurements = await loadInTurns(loads, turns, stage.postgresPid);
    for (const [index, measured] of measurements.entries()) {
      const target = together[index] as TargetName;
      stage.say(`round ${round}: ${name}, ${target}: ${Math.round(measured.requestsPerSecond)} requests/s`);
      results.push({ scenario: name, target, round, measured });
    }
  }
  return results;
}
