import { databaseAway, overloaded } from '../errors/unavailable.js';

export interface BatchOptions<Item, Result> {
  /** Does what waited together, in one go: one result for each item, in their order. */
  run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Batches under way at once. */
  concurrency: number;
  /** Items in a batch. */
  size: number;
  /** Requests that may wait for the next batch; whoever comes on top is turned away. */
  waiting: number;
  /** Milliseconds after which a request that has no result is turned away, whatever becomes of its item. */
  patienceMs: number;
  /** Items with the same key are one: who asks for what already waits, shares its result. */
  keyOf?: (item: Item) => string;
  /** Whether a failed batch had no effect, so that its items can be tried one by one, for each to have its own error. */
  hadNoEffect: (error: unknown) => boolean;
}

interface Waiting<Item, Result> {
  item: Item;
  /** When it came, by the clock of `performance`. */
  since: number;
  promise: Promise<Result>;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** A batch under way. */
interface Run<Item, Result> {
  batch: readonly Waiting<Item, Result>[];
  /** When the patience of who came first ends, by the clock of `performance`. */
  until: number;
  /** It ended: nobody waits for this any longer. */
  isLate: boolean;
}

/**
 * Lets those who wait go together: while a batch is under way, what arrives waits for the next one. Nothing waits
 * when nothing is under way, and nothing is kept: a result comes only from work that began after it was asked for.
 */
export class Batches<Item, Result> {
  private queue: Waiting<Item, Result>[] = [];
  private shared = new Map<string, Waiting<Item, Result>>();
  private requests = 0;
  /** The oldest first. */
  private readonly runs = new Set<Run<Item, Result>>();
  private late = 0;
  private timer: NodeJS.Timeout | undefined;
  private starting = false;
  /** The last batch answered one request. */
  private wasAlone = false;

  constructor(private readonly options: BatchOptions<Item, Result>) {}

  /** @throws DomainError service_unavailable when too many wait already, or nothing has come back for too long. */
  submit(item: Item): Promise<Result> {
    if (this.late >= this.options.concurrency) return Promise.reject(databaseAway());
    if (this.requests >= this.options.waiting) return Promise.reject(overloaded());
    this.requests += 1;
    const key = this.options.keyOf?.(item);
    const same = key === undefined ? undefined : this.shared.get(key);
    if (same) return same.promise;
    const waiting = toWaiting<Item, Result>(item);
    this.queue.push(waiting);
    if (key !== undefined) this.shared.set(key, waiting);
    this.startSoon();
    return waiting.promise;
  }

  /** Once all sockets that are ready have been read, or now where nothing is won by it: for who is alone, or enough. */
  private startSoon(): void {
    if (this.starting || this.runs.size >= this.options.concurrency || this.queue.length === 0) return;
    const isAlone = this.wasAlone && this.runs.size === 0;
    if (isAlone || this.queue.length >= this.options.size) return this.start();
    this.starting = true;
    setImmediate(() => {
      this.starting = false;
      this.start();
    });
  }

  private start(): void {
    this.wasAlone = this.requests === 1;
    const batch = this.queue.splice(0, this.options.size);
    if (this.queue.length === 0) {
      this.forget();
    } else {
      if (this.options.keyOf) for (const { item } of batch) this.shared.delete(this.options.keyOf(item));
      this.requests = Math.max(this.queue.length, this.requests - batch.length);
    }
    const run = { batch, until: (batch[0]?.since ?? 0) + this.options.patienceMs, isLate: false };
    this.runs.add(run);
    this.watch();
    void this.settle(batch).then(() => {
      this.runs.delete(run);
      if (run.isLate) this.late -= 1;
      this.startSoon();
    });
    this.startSoon();
  }

  /** By one timer that is left to go off: one for each batch would take longer than all else here. */
  private watch(): void {
    if (this.timer) return;
    for (const { until, isLate } of this.runs) {
      if (isLate) continue;
      this.timer = setTimeout(() => this.giveUp(), until - performance.now()).unref();
      return;
    }
  }

  private giveUp(): void {
    this.timer = undefined;
    const now = performance.now();
    for (const run of this.runs) {
      if (run.isLate || run.until > now) continue;
      run.isLate = true;
      this.late += 1;
      this.turnAway(this.late < this.options.concurrency ? run.batch : [...run.batch, ...this.queue.splice(0)]);
    }
    this.watch();
  }

  private turnAway(waiting: readonly Waiting<Item, Result>[]): void {
    for (const { reject } of waiting) reject(databaseAway());
    if (this.queue.length === 0) this.forget();
  }

  private forget(): void {
    this.requests = 0;
    // A map that entries come to and go from for long keeps V8 from freeing them young: each table that it outgrows
    // points to the next one.
    this.shared = new Map();
  }

  private async settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.options.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      if (batch.length > 1 && this.options.hadNoEffect(error)) {
        await Promise.all(batch.map((waiting) => this.settle([waiting])));
      } else {
        for (const { reject } of batch) reject(error);
      }
    }
  }
}

function toWaiting<Item, Result>(item: Item): Waiting<Item, Result> {
  let resolve!: Waiting<Item, Result>['resolve'];
  let reject!: Waiting<Item, Result>['reject'];
  const promise = new Promise<Result>((onResult, onError) => {
    resolve = onResult;
    reject = onError;
  });
  return { item, since: performance.now(), promise, resolve, reject };
}
