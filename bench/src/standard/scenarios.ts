import type { Client } from 'pg';
import type { Exchange } from '../load/load-job.js';
import type { Group } from '../options.js';
import type { Target, TargetName } from '../targets/target.js';
import { listExchanges, mixPages, samePage } from '../traffic/list-traffic.js';
import { createExchanges, getExchanges } from '../traffic/pet-traffic.js';
import { singleClientGoals, type Goal, goals } from './goals.js';

/** One kind of load, for all servers in turn. */
export interface Scenario {
  readonly name: string;
  readonly group: Group;
  readonly connections: number;
  /** Turns per server and round. Together they take as long as one turn of another scenario. */
  readonly turns: number;
  readonly targets: readonly TargetName[];
  readonly goals: readonly Goal[];
  readonly exchanges: Exchanges;
}

type Exchanges = (target: Target) => Promise<readonly Exchange[]>;

const peers = ['service', 'handwritten', 'starter'] as const;
const manyClients = { connections: 64, turns: 1, targets: peers };
/** Many short turns, because the latency of one client changes with the machine's speed within a second. */
const singleClient = { connections: 1, turns: 10, targets: peers, goals: singleClientGoals };

/** Creates the scenarios for tables of this size. The requests are the same in every run. */
export async function createScenarios(service: Target & { database: Client }, animals: number): Promise<Scenario[]> {
  const database = service.database;
  const [mix, gets, creates] = [await mixPages(service), await getExchanges(database, animals), createExchanges()];
  const samePages = {
    group: 'list',
    exchanges: memoize((target) => listExchanges(target, [samePage], database)),
  } as const;
  const mixedPages = { group: 'list', exchanges: memoize((target) => listExchanges(target, mix, database)) } as const;
  const get = { group: 'get', exchanges: async () => gets } as const;
  const create = { group: 'create', exchanges: async () => creates } as const;
  return [
    { name: 'list, same page', ...manyClients, ...samePages, targets: [...peers, 'ceiling'], goals: goals.samePage },
    { name: 'list, mixed pages', ...manyClients, ...mixedPages, goals: goals.mixedPages },
    { name: 'get, random ids', ...manyClients, ...get, goals: goals.get },
    { name: 'create, distinct', ...manyClients, ...create, goals: goals.create },
    { name: 'list, one client', ...singleClient, ...samePages },
    { name: 'get, one client', ...singleClient, ...get },
    { name: 'create, one client', ...singleClient, ...create },
  ];
}

/** Reads the expected pages from the database once per target. */
function memoize(create: Exchanges): Exchanges {
  const cached = new Map<Target, ReturnType<Exchanges>>();
  return (target) => {
    const exchanges = cached.get(target) ?? create(target);
    cached.set(target, exchanges);
    return exchanges;
  };
}
