import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { childrenOf, watchProcessorTime } from '@petstore/test-kit/process-usage.js';
import type { Target } from './targets.js';

/** The load on one server. */
export interface Load {
  port: number;
  /** Each has one request in flight. */
  connections: number;
  /** The exact bytes of each request. Sent repeatedly in this order, on whichever connection is free. */
  requests: readonly string[];
  warmupMs: number;
  ms: number;
}

/** What the thread that sends the requests measures. */
export interface LoopResult {
  /** All requests, with those of the warm-up. */
  sent: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface LoadResult extends LoopResult {
  /** Processor time of the server and PostgreSQL per request, in microseconds, also during the warm-up. */
  processorUs: number;
}

/** Another thread sends the requests. @throws Error if a response is not 2xx. */
export async function load(target: Target, options: Omit<Load, 'port'>): Promise<LoadResult> {
  const { name, server, port, postmaster } = target;
  const workerData: Load = { ...options, port };
  const processorSeconds = watchProcessorTime(() => [server.pid, postmaster, ...childrenOf(postmaster)]);
  const worker = new Worker(new URL('load-loop.js', import.meta.url), { workerData });
  try {
    const [result] = (await once(worker, 'message')) as [LoopResult];
    return { ...result, processorUs: (processorSeconds() * 1e6) / result.sent };
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}\n${server.output}`, { cause: error });
  }
}
