import type { Client } from 'pg';
import { addAnimals, settle } from '../database/animals.js';
import type { Options } from '../options.js';
import { captureAnswer } from '../targets/capture-answer.js';
import { type Ground, startCeiling, startPeer, startService } from '../targets/start-targets.js';
import type { Target, TargetName } from '../targets/target.js';
import { samePage } from '../traffic/list-traffic.js';
import { pagePath } from '../traffic/requests.js';
import type { Exchange } from '../load/load-job.js';
import { makeScenarios, type Scenario } from './scenarios.js';

/** Servers that are up, and what they can be loaded with. */
export interface Stage {
  readonly options: Options;
  readonly postgresPid: number;
  readonly targets: ReadonlyMap<TargetName, Target>;
  readonly scenarios: readonly Scenario[];
  readonly say: Say;
}

export type Say = (line: string) => void;

/** Starts the service and its peers, each with the same animals in a database of its own. */
export async function setStage(ground: Ground, options: Options, say: Say): Promise<Stage> {
  const [animals = 0] = options.animals;
  say(`Starting the servers, each with ${animals.toLocaleString('en')} animals`);
  const service = await startService(ground);
  const targets: Target[] = [service, await startPeer(ground, 'handwritten'), await startPeer(ground, 'starter')];
  for (const { database } of targets) if (database) await fill(database, animals);
  targets.push(await startCeiling(ground, await captureAnswer(service, pagePath(service, samePage))));
  return {
    options,
    postgresPid: await ground.postgres.pid(),
    targets: new Map(targets.map((target) => [target.name, target])),
    scenarios: await makeScenarios(service, animals),
    say,
  };
}

/** @throws Error when the stage has no such server. */
export function targetOf({ targets }: Stage, name: TargetName): Target {
  const target = targets.get(name);
  if (target) return target;
  throw new Error(`There is no ${name}.`);
}

/** How long a server is loaded in each turn of a round, and with what. */
export function loadOf(
  { options }: Stage,
  { connections, turns = 1 }: { connections: number; turns?: number },
  exchanges: readonly Exchange[],
) {
  const perTurn = (seconds: number) => (seconds * 1_000) / turns;
  return { connections, exchanges, warmupMs: perTurn(options.warmupSeconds), durationMs: perTurn(options.seconds) };
}

async function fill(database: Client, animals: number): Promise<void> {
  await addAnimals(database, { from: 1, to: animals });
  await settle(database);
}
