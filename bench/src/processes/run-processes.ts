import { loadTarget, type Measurement } from '../measure/load-target.js';
import type { Options } from '../options.js';
import { createScenarios, type Scenario } from '../standard/scenarios.js';
import { fill, loadOf, type Log } from '../standard/setup.js';
import { type Context, type ServiceTarget, startService } from '../targets/start-targets.js';
import { measureMemory, type ProcessesReport, type ProcessesService, toProcessesRow } from './processes-report.js';

/** Values of WEB_CONCURRENCY. The first one is what the others are compared with. */
const processCounts = [1, 2, 4] as const;
const scenarioNames = new Set(['list, mixed pages', 'get, random ids', 'create, distinct']);

/** Measures services with several processes. All run all the time; one at a time is loaded. */
export async function runProcesses(context: Context, options: Options, log: Log): Promise<ProcessesReport> {
  const [animals = 0] = options.animals;
  log(
    `Starting services with ${processCounts.join(', ')} processes, each with ${animals.toLocaleString('en')} animals.`,
  );
  const targets: ServiceTarget[] = [];
  for (const processes of processCounts) targets.push(await start(context, processes, animals));
  const services = targets.map((target, index) => ({ processes: processCounts[index] ?? 0, target }));
  const all = targets[0] ? await createScenarios(targets[0], animals) : [];
  const postgresPid = await context.postgres.pid();
  const rows = [];
  for (const scenario of all.filter(({ name }) => scenarioNames.has(name))) {
    log(`${scenario.name}, ${options.rounds} rounds.`);
    const results = await measureScenario(scenario, services, { options, postgresPid });
    rows.push(...results.map((result) => toProcessesRow(result, results[0] ?? result)));
  }
  return { rows, memory: services.map(measureMemory) };
}

async function start(context: Context, processes: number, animals: number): Promise<ServiceTarget> {
  const target = await startService(context, `processes_${processes}`, { WEB_CONCURRENCY: String(processes) });
  await fill(target.database, animals);
  return target;
}

interface Settings {
  options: Options;
  postgresPid: number;
}

/** The services take turns, in another order in each round. */
async function measureScenario(
  scenario: Scenario,
  services: readonly ProcessesService[],
  { options, postgresPid }: Settings,
) {
  const results = services.map(({ processes, target }) => ({
    processes,
    target,
    scenario: scenario.name,
    rounds: [] as Measurement[],
  }));
  for (let round = 0; round < options.rounds; round += 1) {
    const first = round % results.length;
    for (const { target, rounds } of [...results.slice(first), ...results.slice(0, first)]) {
      const load = loadOf({ options }, scenario, await scenario.exchanges(target));
      rounds.push(await loadTarget(target, load, postgresPid));
    }
  }
  return results;
}
