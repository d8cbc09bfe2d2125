import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../measure/statistics.js';
import { AnswerCheck, prepare, type Prepared } from './answer-check.js';
import type { AnswerReader } from './answer-reader.js';
import { Connection, type Work } from './connection.js';
import type { Exchange, LoadJob, LoadResult } from './load-job.js';

const drainMs = 15_000;
const noAnswer = `no answer within ${drainMs / 1_000} s`;
// Enough for a minute; pages that are never written to take no memory.
const mostTimes = 8_000_000;

/** Who reads what a server has used; the load waits for it. */
export interface Listener {
  /** While the server is being warmed up. */
  measuring(): void | Promise<void>;
  /** While it rests. */
  measured(): void | Promise<void>;
}

/** Loads a server in turns, from this process. */
export class LoadRun implements Work {
  readonly port: number;
  readonly #exchanges: readonly Prepared[];
  readonly #check = new AnswerCheck();
  readonly #times = new Float64Array(mostTimes);
  readonly #connections: readonly Connection[];
  #sent = 0;
  #answers = 0;
  #seconds = 0;
  #cpuSeconds = 0;
  #isMeasuring = false;
  #isOver = false;
  #busy = 0;
  /** The first one; it may come between two turns. */
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
   * Loads the server for the time of one turn, and until all that was asked is answered.
   * @throws Error with the first answer that is wrong or missing.
   */
  async turn(): Promise<void> {
    this.#judge();
    const over = new AbortController();
    const drained = new Promise<void>((done, fail) => {
      this.#settle = { done, fail };
    });
    const wait = (ms: number) => Promise.race([drained, sleep(ms, undefined, { signal: over.signal })]);
    this.#isOver = false;
    this.#busy = this.#connections.length;
    for (const connection of this.#connections) connection.begin();
    try {
      await wait(this.job.warmupMs);
      await this.#measure(wait);
      this.#isOver = true;
      await wait(drainMs);
      if (this.#busy > 0) throw new Error(noAnswer);
      await this.listener.measured();
    } catch (error) {
      this.#close();
      throw error;
    } finally {
      over.abort();
    }
  }

  /**
   * What was seen in all turns. There can be none after it.
   * @throws Error with an answer that nobody asked for.
   */
  end(): LoadResult {
    this.#close();
    this.#judge();
    const sorted = this.#times.subarray(0, this.#answers).toSorted();
    return {
      answers: this.#answers,
      seconds: this.#seconds,
      p50Ms: quantile(sorted, 0.5),
      p99Ms: quantile(sorted, 0.99),
      cpuSeconds: this.#cpuSeconds,
      added: this.#check.added,
    };
  }

  async #measure(wait: (ms: number) => Promise<void>): Promise<void> {
    await this.listener.measuring();
    const before = this.#answers;
    const [begin, cpu] = [performance.now(), process.cpuUsage()];
    this.#isMeasuring = true;
    await wait(this.job.durationMs);
    // A short time on a busy machine.
    while (this.#answers === before) {
      if (performance.now() - begin > this.job.durationMs + drainMs) throw new Error(noAnswer);
      await wait(10);
    }
    this.#isMeasuring = false;
    this.#seconds += (performance.now() - begin) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    this.#cpuSeconds += (user + system) / 1e6;
  }

  #judge(): void {
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

  answered(exchange: Prepared, answer: AnswerReader, data: Buffer): void {
    this.#check.check(exchange, answer, data);
  }

  took(ms: number): void {
    if (!this.#isMeasuring) return;
    this.#times[this.#answers] = ms;
    this.#answers += 1;
  }

  failed(error: Error): void {
    this.#failure ??= error;
    this.#settle?.fail(error);
  }

  rests(): void {
    this.#busy -= 1;
    if (this.#busy === 0) this.#settle?.done();
  }
}

/** One and the same exchange is prepared once. */
function prepareAll(exchanges: readonly Exchange[]): Prepared[] {
  const prepared = new Map<Exchange, Prepared>();
  for (const exchange of exchanges) if (!prepared.has(exchange)) prepared.set(exchange, prepare(exchange));
  return exchanges.flatMap((exchange) => prepared.get(exchange) ?? []);
}
