import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../measure/statistics.js';
import { ResponseCheck, prepare, type Prepared } from './response-check.js';
import type { ResponseReader } from './response-reader.js';
import { Connection, type ConnectionOwner } from './connection.js';
import type { Exchange, LoadJob, LoadResult } from './load-job.js';

const drainMs = 15_000;
const noResponse = `no response within ${drainMs / 1_000} s`;
// Enough for a minute. Pages that are never written take no memory.
const maxTimes = 8_000_000;

/** Reads the resource usage of a server. The load waits for it. */
export interface Listener {
  /** Called at the end of the warm-up. */
  measuring(): void | Promise<void>;
  /** Called when all responses have arrived. */
  measured(): void | Promise<void>;
}

/** Loads a server in turns from this process. */
export class LoadRun implements ConnectionOwner {
  readonly port: number;
  readonly #exchanges: readonly Prepared[];
  readonly #check = new ResponseCheck();
  readonly #times = new Float64Array(maxTimes);
  readonly #connections: readonly Connection[];
  #sent = 0;
  #responses = 0;
  #seconds = 0;
  #cpuSeconds = 0;
  #isMeasuring = false;
  #isOver = false;
  #busy = 0;
  /** The first error. It may occur between two turns. */
  #failure: Error | undefined;
  #settle: { done: () => void; fail: (error: Error) => void } | undefined;

  constructor(
    private readonly job: LoadJob,
    private readonly listener: Listener,
  ) {
    this.port = job.port;
    this.#exchanges = prepareAll(job.exchanges);
    this.#connections = Array.from({ length: job.connections }, () => new Connection(this));
  }

  /**
   * Loads the server for one turn, then waits for the remaining responses.
   * @throws Error with the first response that is wrong or missing.
   */
  async turn(): Promise<void> {
    this.#throwFailure();
    const over = new AbortController();
    const drained = new Promise<void>((done, fail) => {
      this.#settle = { done, fail };
    });
    const wait = (ms: number) => Promise.race([drained, sleep(ms, undefined, { signal: over.signal })]);
    this.#isOver = false;
    this.#busy = this.#connections.length;
    for (const connection of this.#connections) connection.start();
    try {
      await wait(this.job.warmupMs);
      await this.#measure(wait);
      this.#isOver = true;
      await wait(drainMs);
      if (this.#busy > 0) throw new Error(noResponse);
      await this.listener.measured();
    } catch (error) {
      this.#close();
      throw error;
    } finally {
      over.abort();
    }
  }

  /**
   * Ends the run and returns the measurements of all turns.
   * @throws Error if a response arrived that was not requested.
   */
  end(): LoadResult {
    this.#close();
    this.#throwFailure();
    const sorted = this.#times.subarray(0, this.#responses).toSorted();
    return {
      responses: this.#responses,
      seconds: this.#seconds,
      p50Ms: quantile(sorted, 0.5),
      p99Ms: quantile(sorted, 0.99),
      cpuSeconds: this.#cpuSeconds,
      added: this.#check.added,
    };
  }

  async #measure(wait: (ms: number) => Promise<void>): Promise<void> {
    await this.listener.measuring();
    const before = this.#responses;
    const [begin, cpu] = [performance.now(), process.cpuUsage()];
    this.#isMeasuring = true;
    await wait(this.job.durationMs);
    // The duration is short, and the machine may be busy.
    while (this.#responses === before) {
      if (performance.now() - begin > this.job.durationMs + drainMs) throw new Error(noResponse);
      await wait(10);
    }
    this.#isMeasuring = false;
    this.#seconds += (performance.now() - begin) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    this.#cpuSeconds += (user + system) / 1e6;
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure;
  }

  #close(): void {
    for (const connection of this.#connections) connection.destroy();
  }

  next(): Prepared | undefined {
    if (this.#isOver) return undefined;
    const exchange = this.#exchanges[this.#sent % this.#exchanges.length];
    this.#sent += 1;
    return exchange;
  }

  check(exchange: Prepared, response: ResponseReader, data: Buffer): void {
    this.#check.check(exchange, response, data);
  }

  recordTime(ms: number): void {
    if (!this.#isMeasuring) return;
    this.#times[this.#responses] = ms;
    this.#responses += 1;
  }

  fail(error: Error): void {
    this.#failure ??= error;
    this.#settle?.fail(error);
  }

  finish(): void {
    this.#busy -= 1;
    if (this.#busy === 0) this.#settle?.done();
  }
}

/** Prepares each exchange once. */
function prepareAll(exchanges: readonly Exchange[]): Prepared[] {
  const prepared = new Map<Exchange, Prepared>();
  for (const exchange of exchanges) if (!prepared.has(exchange)) prepared.set(exchange, prepare(exchange));
  return exchanges.flatMap((exchange) => prepared.get(exchange) ?? []);
}
