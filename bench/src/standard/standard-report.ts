import type { Measurement } from '../measure/load-target.js';
import { median } from '../measure/statistics.js';
import type { TargetName } from '../targets/target.js';
import type { Goal } from './goals.js';
import type { LoadToolReport } from './load-tool-check.js';
import type { MemoryReport } from './memory-run.js';
import type { Result } from './result.js';
import type { Scenario } from './scenarios.js';

export interface StandardReport {
  readonly rows: readonly Row[];
  readonly ratios: readonly Ratio[];
  readonly loadTool: LoadToolReport | undefined;
  readonly memory: MemoryReport | undefined;
}

/** Medians over the rounds. Memory: the maximum. */
export interface Row extends Measurement {
  readonly scenario: string;
  readonly target: TargetName;
}

/** The service's measurement divided by the other server's. */
export interface Ratio extends Goal {
  readonly scenario: string;
  readonly rounds: readonly number[];
  /** By round. */
  readonly median: number;
  readonly isReached: boolean;
}

/** Rows and ratios in the order of the scenarios. */
export function summarize(
  scenarios: readonly Scenario[],
  results: readonly Result[],
): Pick<StandardReport, 'rows' | 'ratios'> {
  const of = (scenario: Scenario, target: TargetName) =>
    results.filter((result) => result.scenario === scenario.name && result.target === target);
  return {
    rows: scenarios.flatMap((scenario) => scenario.targets.map((target) => toRow(of(scenario, target)))),
    ratios: scenarios.flatMap((scenario) =>
      scenario.goals.map((goal) => toRatio(goal, of(scenario, 'service'), of(scenario, goal.against))),
    ),
  };
}

function toRow(results: readonly Result[]): Row {
  const [first] = results;
  if (!first) throw new Error('A scenario has no measurement.');
  const over = (name: keyof Measurement) => median(results.map(({ measured }) => measured[name]));
  return {
    scenario: first.scenario,
    target: first.target,
    requestsPerSecond: over('requestsPerSecond'),
    p50Ms: over('p50Ms'),
    p99Ms: over('p99Ms'),
    serverCpu: over('serverCpu'),
    postgresCpu: over('postgresCpu'),
    serverShare: over('serverShare'),
    loadShare: over('loadShare'),
    peakBytes: Math.max(...results.map(({ measured }) => measured.peakBytes)),
  };
}

function toRatio(goal: Goal, service: readonly Result[], other: readonly Result[]): Ratio {
  const rounds = service.map(({ round, measured }) => {
    const peer = other.find((result) => result.round === round);
    return measured[goal.of] / (peer?.measured[goal.of] ?? Number.NaN);
  });
  const ratio = median(rounds);
  const isReached = 'atLeast' in goal.bound ? ratio >= goal.bound.atLeast : ratio <= goal.bound.atMost;
  return { ...goal, scenario: service[0]?.scenario ?? '', rounds, median: ratio, isReached };
}
