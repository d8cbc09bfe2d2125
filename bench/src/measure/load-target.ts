import type { LoadJob, LoadResult } from '../load/load-job.js';
import { LoadError, runLoads } from '../load/load-process.js';
import type { Listener } from '../load/load-run.js';
import type { Target } from '../targets/target.js';
import { createCheck } from './create-check.js';
import { MemoryWatch } from './memory-watch.js';
import { cpuSecondsOfFamilies } from '@petstore/processes/process-usage.js';

/** The measurements of one server under one load. */
export interface Measurement {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU seconds per 1,000 requests, of the processes of the server and of PostgreSQL. */
  readonly serverCpu: number;
  readonly postgresCpu: number;
  /** Average number of busy CPUs, in the processes of the server and in the load process. */
  readonly serverShare: number;
  readonly loadShare: number;
  readonly peakBytes: number;
}

export type Load = Omit<LoadJob, 'port'>;

export interface TargetLoad {
  readonly target: Target;
  readonly load: Load;
}

/**
 * Loads a server and measures it.
 * @throws Error that names the server and the first wrong or missing response.
 */
export async function loadTarget(target: Target, load: Load, postgresPid: number): Promise<Measurement> {
  const [measurement] = await loadInTurns([{ target, load }], 1, postgresPid);
  return measurement as Measurement;
}

/**
 * Loads and measures servers one at a time, in turns.
 * @throws Error that names the server and the first wrong or missing response.
 */
export async function loadInTurns(
  loads: readonly TargetLoad[],
  turns: number,
  postgresPid: number,
): Promise<Measurement[]> {
  const verify = await Promise.all(loads.map(({ target }) => createCheck(target)));
  const meters = loads.map(({ target }) => new Meter(target.server.pid, postgresPid));
  try {
    const jobs = loads.map(({ target, load }) => ({ ...load, port: target.server.port }));
    const results = await runLoads({ jobs, turns }, meters);
    for (const [index, { added }] of results.entries()) {
      await verify[index]?.(added).catch((error: Error) => {
        throw new LoadError(error.message, index, { cause: error });
      });
    }
    return meters.map((meter, index) => meter.read(results[index] as LoadResult));
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    const { name, server } = (loads[error.job] as TargetLoad).target;
    throw new Error(`${name}: ${error.message}${server.output && `\nIts last output:\n${server.output}`}`, {
      cause: error,
    });
  } finally {
    for (const meter of meters) meter.stop();
  }
}

/** Measures the resource usage of a server during its load. */
class Meter implements Listener {
  readonly #memory: MemoryWatch;
  #server = 0;
  #postgres = 0;

  constructor(
    private readonly pid: number,
    private readonly postgresPid: number,
  ) {
    this.#memory = new MemoryWatch(pid);
  }

  measuring(): void {
    this.#addUsage(-1);
  }

  measured(): void {
    this.#addUsage(1);
  }

  read({ responses, seconds, p50Ms, p99Ms, cpuSeconds: loadCpuSeconds }: LoadResult): Measurement {
    return {
      requestsPerSecond: responses / seconds,
      p50Ms,
      p99Ms,
      serverCpu: (this.#server / responses) * 1_000,
      postgresCpu: (this.#postgres / responses) * 1_000,
      serverShare: this.#server / seconds,
      loadShare: loadCpuSeconds / seconds,
      peakBytes: Math.max(...this.#memory.stop()),
    };
  }

  stop(): void {
    this.#memory.stop();
  }

  #addUsage(factor: 1 | -1): void {
    const [server = 0, postgres = 0] = cpuSecondsOfFamilies(this.pid, this.postgresPid);
    this.#server += factor * server;
    this.#postgres += factor * postgres;
  }
}
