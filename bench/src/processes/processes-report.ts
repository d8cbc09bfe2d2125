import { childrenOf, residentBytes } from '@petstore/processes/process-usage.js';
import type { Measurement } from '../measure/load-target.js';
import { median } from '../measure/statistics.js';
import type { Target } from '../targets/target.js';

export interface ProcessesService {
  /** Its WEB_CONCURRENCY. */
  readonly processes: number;
  readonly target: Target;
}

/** The measurements of one service and scenario, by round. */
export interface ProcessesResult {
  readonly processes: number;
  readonly scenario: string;
  readonly rounds: readonly Measurement[];
}

/** Medians over the rounds. */
export interface ProcessesRow {
  readonly scenario: string;
  readonly processes: number;
  readonly requestsPerSecond: number;
  /** Requests per second relative to one process, compared within each round. */
  readonly ratio: number;
  readonly p99Ms: number;
  /** CPU seconds per 1,000 requests. */
  readonly serviceCpu: number;
  readonly postgresCpu: number;
  /** Average number of busy CPUs. */
  readonly loadShare: number;
}

export interface ProcessesMemory {
  readonly processes: number;
  /** Of the process that starts the others. 0 if one process does everything. */
  readonly primaryBytes: number;
  /** Average of the processes that serve. */
  readonly workerBytes: number;
}

export interface ProcessesReport {
  readonly rows: readonly ProcessesRow[];
  readonly memory: readonly ProcessesMemory[];
}

/** `alone` has the measurements of one process. */
export function toProcessesRow({ processes, scenario, rounds }: ProcessesResult, alone: ProcessesResult): ProcessesRow {
  const of = (value: (measured: Measurement) => number) => median(rounds.map(value));
  const rate = (measured: Measurement | undefined) => measured?.requestsPerSecond ?? Number.NaN;
  return {
    scenario,
    processes,
    requestsPerSecond: of(rate),
    ratio: median(rounds.map((measured, round) => rate(measured) / rate(alone.rounds[round]))),
    p99Ms: of(({ p99Ms }) => p99Ms),
    serviceCpu: of(({ serverCpu }) => serverCpu),
    postgresCpu: of(({ postgresCpu }) => postgresCpu),
    loadShare: of(({ loadShare }) => loadShare),
  };
}

/** @throws Error if a process is missing. */
export function measureMemory({ processes, target: { server } }: ProcessesService): ProcessesMemory {
  if (processes === 1) return { processes, primaryBytes: 0, workerBytes: residentBytes(server.pid) };
  const workers = childrenOf(server.pid);
  if (workers.length !== processes) throw new Error(`${workers.length} of ${processes} processes run.`);
  const sum = workers.reduce((bytes, pid) => bytes + residentBytes(pid), 0);
  return { processes, primaryBytes: residentBytes(server.pid), workerBytes: sum / processes };
}
