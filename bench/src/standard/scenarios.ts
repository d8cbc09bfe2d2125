import type { Client } from 'pg';
import type { Exchange } from '../load/load-job.js';
import type { Group } from '../options.js';
import type { Target, TargetName } from '../targets/target.js';
import { listExchanges, mixPages, samePage } from '../traffic/list-traffic.js';
import { createExchanges, getExchanges } from '../traffic/pet-traffic.js';
import { aloneGoals, type Goal, goals } from './goals.js';

/** One kind of load, which servers meet in turn. */
export interface Scenario {
  readonly name: string;
  readonly group: Group;
  readonly connections: number;
  /** That a server takes in each round, together as long as one turn of another scenario. */
  readonly turns: number;
  readonly targets: readonly TargetName[];
  readonly goals: readonly Goal[];
  readonly exchanges: Exchanges;
}

type Exchanges = (target: Target) => Promise<readonly Exchange[]>;

const peers = ['service', 'handwritten', 'starter'] as const;
const crowd = { connections: 64, turns: 1, targets: peers };
/** One request is as fast as the machine is just then, which changes within a second: many short turns meet all of it. */
const alone = { connections: 1, turns: 10, targets: peers, goals: aloneGoals };

/** The loads for tables of so many animals. What they ask for is the same in every run. */
export async function makeScenarios(service: Target & { database: Client }, animals: number): Promise<Scenario[]> {
  const truth = service.database;
  const [mix, gets, creates] = [await mixPages(service), await getExchanges(truth, animals), createExchanges()];
  const samePages = {
    group: 'list',
    exchanges: remember((target) => listExchanges(target, [samePage], truth)),
  } as const;
  const mixedPages = { group: 'list', exchanges: remember((target) => listExchanges(target, mix, truth)) } as const;
  const get = { group: 'get', exchanges: async () => gets } as const;
  const create = { group: 'create', exchanges: async () => creates } as const;
  return [
    { name: 'list, same page', ...crowd, ...samePages, targets: [...peers, 'ceiling'], goals: goals.samePage },
    { name: 'list, mixed pages', ...crowd, ...mixedPages, goals: goals.mixedPages },
    { name: 'get, random ids', ...crowd, ...get, goals: goals.get },
    { name: 'create, distinct', ...crowd, ...create, goals: goals.create },
    { name: 'list, one client', ...alone, ...samePages },
    { name: 'get, one client', ...alone, ...get },
    { name: 'create, one client', ...alone, ...create },
  ];
}

/** The pages are looked up in the database once for each target. */
function remember(make: Exchanges): Exchanges {
  const made = new Map<Target, ReturnType<Exchanges>>();
  return (target) => {
    const exchanges = made.get(target) ?? make(target);
    made.set(target, exchanges);
    return exchanges;
  };
}
