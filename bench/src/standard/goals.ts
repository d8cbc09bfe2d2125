import type { TargetName } from '../targets/target.js';

/** What the service has to reach beside another: a ratio, service to the other, in one run. */
export interface Goal {
  readonly against: TargetName;
  readonly of: 'requestsPerSecond' | 'p50Ms' | 'p99Ms';
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
}

/** Goals of the loads with many clients. */
export const goals = {
  samePage: crowd([
    ['handwritten', 2],
    ['starter', 8],
    ['ceiling', 0.35],
  ]),
  mixedPages: crowd([
    ['handwritten', 1.3],
    ['starter', 5],
  ]),
  get: crowd([
    ['handwritten', 1.6],
    ['starter', 9],
  ]),
  create: crowd([
    ['handwritten', 1.6],
    ['starter', 6],
  ]),
} as const;

/** Batching must not make a single client wait. */
export const aloneGoals: readonly Goal[] = [{ against: 'handwritten', of: 'p50Ms', bound: { atMost: 1.5 } }];

/** In MB, of the service's process under a minute of load. */
export const memoryGoal = 220;

function crowd(throughput: readonly [TargetName, number][]): readonly Goal[] {
  return [
    ...throughput.map(([against, atLeast]): Goal => ({ against, of: 'requestsPerSecond', bound: { atLeast } })),
    { against: 'handwritten', of: 'p99Ms', bound: { atMost: 1 } },
  ];
}
