import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
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

export interface LoadResult {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** Another thread sends the requests. @throws Error if a response is not 2xx. */
export async function load({ name, server, port }: Target, options: Omit<Load, 'port'>): Promise<LoadResult> {
  const workerData: Load = { ...options, port };
  const worker = new Worker(new URL('load-loop.js', import.meta.url), { workerData });
  try {
    const [result] = (await once(worker, 'message')) as [LoadResult];
    return result;
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}\n${server.output}`, { cause: error });
  }
}
