import type { TargetName } from '../targets/target.js';

/** A goal for the service: the maximum or minimum ratio of its measurement to that of another server in the same run. */
export interface Goal {
  readonly against: TargetName;
  readonly of: 'requestsPerSecond' | 'p50Ms' | 'p99Ms';
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
}

/** Goals of the scenarios with many clients. */
export const goals = {
  samePage: manyClients([
    ['handwritten', 2],
    ['starter', 8],
    ['ceiling', 0.35],
  ]),
  mixedPages: manyClients([
    ['handwritten', 1.3],
    ['starter', 5],
  ]),
  get: manyClients([
    ['handwritten', 1.6],
    ['starter', 9],
  ]),
  create: manyClients([
    ['handwritten', 1.6],
    ['starter', 6],
  ]),
} as const;

/** Batching must not delay a single client. */
export const singleClientGoals: readonly Goal[] = [{ against: 'handwritten', of: 'p50Ms', bound: { atMost: 1.5 } }];

/** In MB, for the service's process under a minute of load. */
export const memoryGoal = 220;

function manyClients(throughput: readonly [TargetName, number][]): readonly Goal[] {
  return [
    ...throughput.map(([against, atLeast]): Goal => ({ against, of: 'requestsPerSecond', bound: { atLeast } })),
    { against: 'handwritten', of: 'p99Ms', bound: { atMost: 1 } },
  ];
}
