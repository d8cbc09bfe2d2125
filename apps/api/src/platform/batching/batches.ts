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

/**
 * Lets those who wait go together: while a batch is under way, what arrives waits for the next one. Nothing waits
 * when nothing is under way, and nothing is kept: a result comes only from work that began after it was asked for.
 */
export class Batches<Item, Result> {
  private queue: Waiting<Item, Result>[] = [];
  private shared = new Map<string, Waiting<Item, Result>>();
  private requests = 0;
  private running = 0;
  /** Batches under way that nobody waits for any longer. */
  private late = 0;
  private starting = false;

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

  /** Once all sockets that are ready have been read, which is now for who is alone. */
  private startSoon(): void {
    if (this.starting || this.running >= this.options.concurrency || this.queue.length === 0) return;
    // Nothing is won by waiting for more, and with very many sockets a round of the event loop can be long.
    if (this.queue.length >= this.options.size) return this.start();
    this.starting = true;
    setImmediate(() => {
      this.starting = false;
      this.start();
    });
  }

  private start(): void {
    const batch = this.queue.splice(0, this.options.size);
    if (this.queue.length === 0) {
      this.forget();
    } else {
      if (this.options.keyOf) for (const { item } of batch) this.shared.delete(this.options.keyOf(item));
      this.requests = Math.max(this.queue.length, this.requests - batch.length);
    }
    this.running += 1;
    const stopWaiting = this.waitFor(batch);
    void this.settle(batch).finally(() => {
      stopWaiting();
      this.running -= 1;
      this.startSoon();
    });
    this.startSoon();
  }

  /** One timer for all: the one who came first is the first whose patience ends. Returns what ends the waiting. */
  private waitFor(batch: readonly Waiting<Item, Result>[]): () => void {
    const { patienceMs } = this.options;
    const waited = performance.now() - (batch[0]?.since ?? 0);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.late += 1;
      this.turnAway(this.late < this.options.concurrency ? batch : [...batch, ...this.queue.splice(0)]);
    }, patienceMs - waited);
    return () => {
      clearTimeout(timer);
      if (isLate) this.late -= 1;
    };
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
