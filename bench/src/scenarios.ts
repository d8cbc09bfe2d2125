import type { Exchange } from './load.js';
import type { Target, TargetName } from './targets.js';
import { createExchanges, getExchanges, listExchanges, mixPages, samePage } from './traffic.js';

type Figure = 'requestsPerSecond' | 'p50Ms' | 'p99Ms';

/** The service's measurement divided by the one of another server in the same round. Only some have a goal. */
export interface Comparison {
  readonly against: TargetName;
  readonly of: Figure;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** One kind of load, for all servers in turn. */
export interface Scenario {
  readonly name: string;
  readonly connections: number;
  /** Turns per server and round. Together they take as long as one turn of another scenario. */
  readonly turns: number;
  readonly targets: readonly TargetName[];
  readonly comparisons: readonly Comparison[];
  readonly exchanges: (target: Target) => Promise<readonly Exchange[]>;
}

/** In MB, for the service's process under a minute of load. */
export const memoryGoal = 200;

/** Creates the scenarios for tables of this size. The requests are the same in every run. */
export async function createScenarios(
  service: Target,
  peers: readonly TargetName[],
  animals: number,
): Promise<Scenario[]> {
  const { database } = service;
  const [mix, gets, creates] = [await mixPages(service), await getExchanges(database, animals), createExchanges()];
  const many = (goals: Partial<Record<TargetName, number>>) => manyClients(peers, goals);
  const single = singleClient(peers);
  const samePages = memoize((target) => listExchanges(target, [samePage], database));
  const mixedPages = memoize((target) => listExchanges(target, mix, database));
  return [
    { name: 'list, same page', exchanges: samePages, ...many({ handwritten: 2, starter: 8 }) },
    { name: 'list, mixed pages', exchanges: mixedPages, ...many({ handwritten: 1.3, starter: 5 }) },
    { name: 'get, random ids', exchanges: async () => gets, ...many({ handwritten: 1.6, starter: 8 }) },
    { name: 'create, distinct', exchanges: async () => creates, ...many({ handwritten: 1.6, starter: 6 }) },
    { name: 'list, one client', exchanges: samePages, ...single },
    { name: 'get, one client', exchanges: async () => gets, ...single },
    { name: 'create, one client', exchanges: async () => creates, ...single },
  ];
}

/** The goals are minimum ratios of requests per second. A peer without a goal is compared too. */
function manyClients(peers: readonly TargetName[], goals: Partial<Record<TargetName, number>>) {
  const targets: readonly TargetName[] = ['service', ...peers];
  const comparisons = peers.map((against): Comparison => {
    const atLeast = goals[against];
    return { against, of: 'requestsPerSecond', ...(atLeast !== undefined && { atLeast }) };
  });
  const p99: Comparison = { against: 'handwritten', of: 'p99Ms', atMost: 1 };
  return { connections: 64, turns: 1, targets, comparisons: [...comparisons, p99] };
}

/**
 * Batching must not delay a single client. Many short turns, because the latency of one client changes with the machine's
 * speed within a second.
 */
function singleClient(peers: readonly TargetName[]) {
  const targets: readonly TargetName[] = ['service', ...peers];
  const p50: Comparison = { against: 'handwritten', of: 'p50Ms', atMost: 1.5 };
  return { connections: 1, turns: 10, targets, comparisons: [p50] };
}

/** Reads the expected pages from the database once per target. */
function memoize(create: Scenario['exchanges']): Scenario['exchanges'] {
  const cached = new Map<Target, ReturnType<Scenario['exchanges']>>();
  return (target) => {
    const exchanges = cached.get(target) ?? create(target);
    cached.set(target, exchanges);
    return exchanges;
  };
}
