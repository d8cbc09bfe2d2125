import type { LoadJob, LoadResult } from '../load/load-job.js';
import { runLoad } from '../load/load-process.js';
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

/**
 * Loads a server and measures it meanwhile.
 * @throws Error that names it, with the first answer that is wrong or missing.
 */
export async function loadTarget(target: Target, load: Load, postgresPid: number): Promise<Measurement> {
  const { pid, port } = target.server;
  const confirm = await createCheck(target);
  const cpu = { server: 0, postgres: 0 };
  const add = (sign: 1 | -1) => {
    cpu.server += sign * cpuSeconds(pid);
    cpu.postgres += sign * cpuSecondsOfFamily(postgresPid);
  };
  const memory = new MemoryWatch(pid);
  try {
    const result = await runLoad({ ...load, port }, { measuring: () => add(-1), measured: () => add(1) });
    await confirm(result.added);
    return toMeasurement(result, cpu, Math.max(...memory.stop()));
  } catch (error) {
    const said = target.server.words;
    throw new Error(`${target.name}: ${(error as Error).message}${said && `\nIts last words:\n${said}`}`, {
      cause: error,
    });
  } finally {
    memory.stop();
  }
}

function toMeasurement(load: LoadResult, cpu: { server: number; postgres: number }, peakBytes: number): Measurement {
  const { answers, seconds, p50Ms, p99Ms } = load;
  return {
    requestsPerSecond: answers / seconds,
    p50Ms,
    p99Ms,
    serverCpu: (cpu.server / answers) * 1_000,
    postgresCpu: (cpu.postgres / answers) * 1_000,
    serverShare: cpu.server / seconds,
    loadShare: load.cpuSeconds / seconds,
    peakBytes,
  };
}
