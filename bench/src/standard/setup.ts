import type { Client } from 'pg';
import { addAnimals, settle } from '../database/animals.js';
import type { Options } from '../options.js';
import { captureResponse } from '../targets/capture-response.js';
import { type Context, startCeiling, startPeer, startService } from '../targets/start-targets.js';
import type { Target, TargetName } from '../targets/target.js';
import { samePage } from '../traffic/list-traffic.js';
import { pagePath } from '../traffic/requests.js';
import type { Exchange } from '../load/load-job.js';
import { createScenarios, type Scenario } from './scenarios.js';

/** The running servers and their scenarios. */
export interface Setup {
  readonly options: Options;
  readonly postgresPid: number;
  readonly targets: ReadonlyMap<TargetName, Target>;
  readonly scenarios: readonly Scenario[];
  readonly log: Log;
}

export type Log = (line: string) => void;

/** Starts the service and its peers, each with the same animals in its own database. */
export async function setUp(context: Context, options: Options, log: Log): Promise<Setup> {
  const [animals = 0] = options.animals;
  log(`Starting the servers, each with ${animals.toLocaleString('en')} animals.`);
  const service = await startService(context);
  const targets: Target[] = [service, await startPeer(context, 'handwritten'), await startPeer(context, 'starter')];
  for (const { database } of targets) if (database) await fill(database, animals);
  targets.push(await startCeiling(context, await captureResponse(service, pagePath(service, samePage))));
  return {
    options,
    postgresPid: await context.postgres.pid(),
    targets: new Map(targets.map((target) => [target.name, target])),
    scenarios: await createScenarios(service, animals),
    log,
  };
}

/** @throws Error if there is no such server. */
export function targetOf({ targets }: Setup, name: TargetName): Target {
  const target = targets.get(name);
  if (target) return target;
  throw new Error(`No server is named ${name}.`);
}

/** The load of one server in each turn. */
export function loadOf(
  { options }: Pick<Setup, 'options'>,
  { connections, turns = 1 }: { connections: number; turns?: number },
  exchanges: readonly Exchange[],
) {
  const perTurn = (seconds: number) => (seconds * 1_000) / turns;
  return { connections, exchanges, warmupMs: perTurn(options.warmupSeconds), durationMs: perTurn(options.seconds) };
}

export async function fill(database: Client, animals: number): Promise<void> {
  await addAnimals(database, { from: 1, to: animals });
  await settle(database);
}
