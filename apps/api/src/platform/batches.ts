import { isStatementError } from './database/database-error.js';
import { databaseAway } from './errors/domain-error.js';
import type { Metrics } from './metrics/metrics.js';
import { databaseTimeoutMs, lockTimeoutMs } from './time-limit.js';

/** PostgreSQL works on one of the two batches while this process handles the results of the other. */
const concurrency = 2;
const maxBatchSize = 32;
const commitMs = 500;

interface BatchOptions<Item, Result> {
  /** Processes a batch. Resolves to one result per item, in the same order. */
  run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Deduplicates: while items with the same key wait, they are one item. */
  keyOf?: (item: Item) => bigint | string;
  /** A write starts early enough to have no effect after its timeout, even if it first waits for a lock. */
  isWrite?: boolean;
  maxSize?: number;
  /** The maximum number of batches of all owners that run at the same time. One owner has at most two of them. */
  totalConcurrency?: number;
}

/** The API key whose items share batches and wait for each other. */
type Owner = number | undefined;

/** Items with equal keys are one item. */
type Key = bigint | string | symbol;

interface Batch<Item, Result> {
  owner: Owner;
  /** Oldest first. */
  entries: readonly Entry<Item, Result>[];
}

/**
 * Coalesces concurrent requests into batches. While the maximum number of batches runs, new items wait for the next one.
 * Results are never cached: an item joins only a batch that has not started, so its result is never older than itself.
 */
export class Batches<Item, Result> {
  /** The entries of each owner by their keys, oldest first, and the owners in turn. */
  private readonly waiting = new Map<Owner, Map<Key, Entry<Item, Result>>>();
  private readonly running = new Set<Batch<Item, Result>>();
  private isStartScheduled = false;

  /** Measures the batches under the name of their statement. */
  constructor(
    private readonly metrics: Metrics,
    private readonly statement: string,
    private readonly options: BatchOptions<Item, Result>,
  ) {
    metrics.watchQueue(statement, () => [...this.waiting.values()].reduce((sum, { size }) => sum + size, 0));
  }

  /** @throws DomainError service_unavailable after the timeout, or at once while every running batch has timed out. */
  submit(item: Item, owner?: Owner): Promise<Result> {
    const stalled = [...this.running].filter(({ entries: [oldest] }) => oldest?.hasTimedOut);
    if (this.isFull(stalled, owner)) return Promise.reject(databaseAway());
    const queue = this.waiting.get(owner) ?? new Map<Key, Entry<Item, Result>>();
    const key = this.options.keyOf?.(item) ?? Symbol('unique');
    // A newer entry can have the key of a running one.
    const dequeue = () => void (queue.get(key)?.hasTimedOut && queue.delete(key));
    const entry = queue.get(key) ?? new Entry<Item, Result>(item, this.options.isWrite ?? false, dequeue);
    this.waiting.set(owner, queue.set(key, entry));
    this.scheduleStart();
    return entry.promise;
  }

  /** Whether an owner can have no other batch next to these. */
  private isFull(batches: readonly Batch<Item, Result>[], owner: Owner): boolean {
    const { totalConcurrency = concurrency } = this.options;
    return batches.length >= totalConcurrency || batches.filter((batch) => batch.owner === owner).length >= concurrency;
  }

  /** Starts after the event loop has read all ready sockets, so that their requests share a batch. */
  private scheduleStart(): void {
    if (this.isStartScheduled || this.waiting.size === 0) return;
    this.isStartScheduled = true;
    setImmediate(() => {
      this.isStartScheduled = false;
      for (let batch = this.takeNext(); batch; batch = this.takeNext()) void this.start(batch);
    });
  }

  /** Removes the oldest entries of the next owner in turn that may start a batch. */
  private takeNext(): Batch<Item, Result> | undefined {
    for (const [owner, queue] of this.waiting) {
      if (this.isFull([...this.running], owner)) continue;
      const taken = [...queue].slice(0, this.options.maxSize ?? maxBatchSize);
      for (const [key] of taken) queue.delete(key);
      // The next turn of its owner is the last one.
      this.waiting.delete(owner);
      if (queue.size > 0) this.waiting.set(owner, queue);
      const entries = taken.map(([, entry]) => entry).filter((entry) => !entry.rejectIfLate());
      if (entries.length > 0) return { owner, entries };
    }
    return undefined;
  }

  private async start(batch: Batch<Item, Result>): Promise<void> {
    const { entries } = batch;
    this.running.add(batch);
    this.metrics.batchSize.observe({ statement: this.statement }, entries.length);
    try {
      await this.run(entries);
    } catch (error) {
      if (entries.length > 1 && isStatementError(error)) await this.runAlone(entries);
      else for (const entry of entries) entry.reject(error);
    }
    for (const { timer } of entries) clearTimeout(timer);
    this.running.delete(batch);
    this.scheduleStart();
  }

  /** The failed batch had no effect. Its entries run one after the other, so that each gets its own error. */
  private async runAlone(entries: readonly Entry<Item, Result>[]): Promise<void> {
    for (const entry of entries) {
      if (!entry.rejectIfLate()) await this.run([entry]).catch((error: unknown) => entry.reject(error));
    }
  }

  private async run(entries: readonly Entry<Item, Result>[]): Promise<void> {
    const results = await this.options.run(entries.map(({ item }) => item));
    for (const [index, entry] of entries.entries()) entry.resolve(results[index] as Result);
  }
}

/** A request, which is rejected if it has no result after the timeout. A rejected request must have no effect later. */
class Entry<Item, Result> {
  readonly timer: NodeJS.Timeout;
  private readonly startBy: number;
  hasTimedOut = false;
  resolve!: (result: Result) => void;
  reject!: (error: unknown) => void;
  readonly promise = new Promise<Result>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });

  constructor(
    readonly item: Item,
    isWrite: boolean,
    dequeue: () => void,
  ) {
    this.startBy = performance.now() + databaseTimeoutMs - (isWrite ? lockTimeoutMs + commitMs : 0);
    this.timer = setTimeout(() => {
      this.hasTimedOut = true;
      dequeue();
      this.reject(databaseAway());
    }, databaseTimeoutMs).unref();
  }

  /** Returns whether it is too late to start. */
  rejectIfLate(): boolean {
    const isLate = this.hasTimedOut || performance.now() > this.startBy;
    if (isLate) this.reject(databaseAway());
    return isLate;
  }
}

/** Slow reads, each for one request. API keys take turns, and one key uses at most two of the three at a time. */
export class Turns<Item, Result> {
  private readonly batches: Batches<Item, Result>;

  constructor(
    metrics: Metrics,
    statement: string,
    { run, ...options }: Pick<BatchOptions<Item, Result>, 'keyOf'> & { run: (item: Item) => Promise<Result> },
  ) {
    this.batches = new Batches<Item, Result>(metrics, statement, {
      ...options,
      run: ([item]) => run(item as Item).then((result) => [result]),
      maxSize: 1,
      totalConcurrency: concurrency + 1,
    });
  }

  run(item: Item, apiKeyId: number): Promise<Result> {
    return this.batches.submit(item, apiKeyId);
  }
}
