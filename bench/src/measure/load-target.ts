import type { LoadJob, LoadResult } from '../load/load-job.js';
import { LoadError, runLoads } from '../load/load-process.js';
import type { Listener } from '../load/load-run.js';
import type { Target } from '../targets/target.js';
import { createCheck } from './create-check.js';
import { MemoryWatch } from './memory-watch.js';
import { cpuSeconds, cpuSecondsOfFamily } from '@petstore/processes/process-usage.js';

/** What one server did under one load. */
export interface Measurement {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU seconds per 1,000 requests: of the server's process, and of PostgreSQL. */
  readonly serverCpu: number;
  readonly postgresCpu: number;
  /** CPUs that were busy: with the server, and with the load. */
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
 * Loads a server and measures it meanwhile.
 * @throws Error that names it, with the first answer that is wrong or missing.
 */
export async function loadTarget(target: Target, load: Load, postgresPid: number): Promise<Measurement> {
  const [measurement] = await loadInTurns([{ target, load }], 1, postgresPid);
  return measurement as Measurement;
}

/**
 * Loads servers, one at a time, so many turns each, and measures each in its turns.
 * @throws Error that names the server, with the first answer that is wrong or missing.
 */
export async function loadInTurns(
  loads: readonly TargetLoad[],
  turns: number,
  postgresPid: number,
): Promise<Measurement[]> {
  const confirm = await Promise.all(loads.map(({ target }) => createCheck(target)));
  const meters = loads.map(({ target }) => new Meter(target.server.pid, postgresPid));
  try {
    const jobs = loads.map(({ target, load }) => ({ ...load, port: target.server.port }));
    const results = await runLoads({ jobs, turns }, meters);
    for (const [index, { added }] of results.entries()) {
      await confirm[index]?.(added).catch((error: Error) => {
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

/** What a server uses while its load is measured. */
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

  /** PostgreSQL first, as looking through all processes takes some milliseconds, in which the server goes on. */
  measuring(): void {
    this.#postgres -= cpuSecondsOfFamily(this.postgresPid);
    this.#server -= cpuSeconds(this.pid);
  }

  measured(): void {
    this.#server += cpuSeconds(this.pid);
    this.#postgres += cpuSecondsOfFamily(this.postgresPid);
  }

  read({ answers, seconds, p50Ms, p99Ms, cpuSeconds: loadCpuSeconds }: LoadResult): Measurement {
    return {
      requestsPerSecond: answers / seconds,
      p50Ms,
      p99Ms,
      serverCpu: (this.#server / answers) * 1_000,
      postgresCpu: (this.#postgres / answers) * 1_000,
      serverShare: this.#server / seconds,
      loadShare: loadCpuSeconds / seconds,
      peakBytes: Math.max(...this.#memory.stop()),
    };
  }

  stop(): void {
    this.#memory.stop();
  }
}
