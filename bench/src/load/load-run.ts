import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../measure/statistics.js';
import { AnswerCheck, prepare, type Prepared } from './answer-check.js';
import type { AnswerReader } from './answer-reader.js';
import { Connection, type Work } from './connection.js';
import type { Exchange, LoadJob, LoadResult } from './load-job.js';

const drainMs = 15_000;
// Enough for a minute; pages that are never written to take no memory.
const mostTimes = 8_000_000;

export interface Listener {
  measuring(): void;
  measured(): void;
}

/** Loads a server for a while, in this process. */
export class LoadRun implements Work {
  readonly port: number;
  readonly #exchanges: readonly Prepared[];
  readonly #check = new AnswerCheck();
  readonly #times = new Float64Array(mostTimes);
  #sent = 0;
  #answers = 0;
  #isMeasuring = false;
  #isOver = false;
  #open = 0;
  #settle: { done: () => void; fail: (error: Error) => void } | undefined;

  constructor(
    private readonly job: LoadJob,
    private readonly listener: Listener,
  ) {
    this.port = job.port;
    this.#exchanges = prepareAll(job.exchanges);
  }

  /** @throws Error with the first answer that is wrong or missing. */
  async run(): Promise<LoadResult> {
    const over = new AbortController();
    const drained = new Promise<void>((done, fail) => {
      this.#settle = { done, fail };
    });
    const wait = (ms: number) => Promise.race([drained, sleep(ms, undefined, { signal: over.signal })]);
    this.#open = this.job.connections;
    const connections = Array.from({ length: this.#open }, () => new Connection(this));
    try {
      await wait(this.job.warmupMs);
      const measured = await this.#measure(async () => {
        await wait(this.job.durationMs);
        // A short time on a busy machine.
        while (this.#answers === 0) await wait(10);
      });
      this.#isOver = true;
      await wait(drainMs);
      if (this.#open > 0) throw new Error(`no answer within ${drainMs / 1_000} s`);
      return { ...measured, added: this.#check.added };
    } finally {
      over.abort();
      for (const connection of connections) connection.destroy();
    }
  }

  async #measure(wait: () => Promise<void>): Promise<Omit<LoadResult, 'added'>> {
    const [begin, cpu] = [performance.now(), process.cpuUsage()];
    this.#isMeasuring = true;
    this.listener.measuring();
    await wait();
    this.#isMeasuring = false;
    const seconds = (performance.now() - begin) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    this.listener.measured();
    const sorted = this.#times.subarray(0, this.#answers).toSorted();
    return {
      answers: this.#answers,
      seconds,
      p50Ms: quantile(sorted, 0.5),
      p99Ms: quantile(sorted, 0.99),
      cpuSeconds: (user + system) / 1e6,
    };
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
    this.#settle?.fail(error);
  }

  ended(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#settle?.done();
  }
}

/** One and the same exchange is prepared once. */
function prepareAll(exchanges: readonly Exchange[]): Prepared[] {
  const prepared = new Map<Exchange, Prepared>();
  for (const exchange of exchanges) if (!prepared.has(exchange)) prepared.set(exchange, prepare(exchange));
  return exchanges.flatMap((exchange) => prepared.get(exchange) ?? []);
}
