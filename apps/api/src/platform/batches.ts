import { databaseAway } from './errors/domain-error.js';

export interface BatchOptions<Item, Result> {
  /** Processes a batch. Resolves to one result per item, in the same order. */
  run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** The maximum number of batches of one owner that run at the same time. */
  concurrency: number;
  /** The maximum number of batches of all owners that run at the same time. Default: `concurrency`. */
  totalConcurrency?: number;
  /** The maximum number of items in a batch. */
  maxSize: number;
  /** The time after which a request without a result is rejected, in milliseconds. */
  timeoutMs: number;
  /** Deduplicates: items with the same key in a batch are one item. */
  keyOf?: (item: Item) => string;
  /** Called with the number of items of each batch that starts. */
  onStart?: (size: number) => void;
  /**
   * Whether a failed batch had no effect. Its items then run again, one after the other, so that each gets its own error.
   * Until the last one, the batch counts as running.
   */
  hadNoEffect: (error: unknown) => boolean;
}

/** Whose items share batches and wait for each other: an API key. */
type Owner = number | undefined;

/**
 * Coalesces concurrent requests into batches. While the maximum number of batches runs, new items wait for the next one.
 * Results are never cached: an item joins only a batch that has not started, so its result is never older than itself.
 */
export class Batches<Item, Result> {
  /** Not started yet: those of each owner, oldest first, and the owners in turn. Only the last one accepts items. */
  private readonly waiting = new Map<Owner, Batch<Item, Result>[]>();
  private readonly running = new Set<Batch<Item, Result>>();
  private isStartScheduled = false;

  constructor(private readonly options: BatchOptions<Item, Result>) {}

  /** @throws DomainError service_unavailable after the timeout, or at once while every running batch has timed out. */
  submit(item: Item, owner?: Owner): Promise<Result> {
    const stalled = [...this.running].filter(({ hasTimedOut }) => hasTimedOut);
    if (this.isFull(stalled, owner)) return Promise.reject(databaseAway());
    const result = this.openBatch(owner).add(item, this.options.keyOf?.(item));
    this.scheduleStart();
    return result;
  }

  /** The number of items that wait for a batch to start. */
  get queueLength(): number {
    return [...this.waiting.values()].flat().reduce((sum, { size }) => sum + size, 0);
  }

  /** Whether an owner can have no other batch next to these. */
  private isFull(batches: readonly Batch<Item, Result>[], owner: Owner): boolean {
    const { concurrency, totalConcurrency = concurrency } = this.options;
    return batches.length >= totalConcurrency || batches.filter((batch) => batch.owner === owner).length >= concurrency;
  }

  private openBatch(owner: Owner): Batch<Item, Result> {
    const queue = this.waiting.get(owner) ?? [];
    const last = queue.at(-1);
    if (last && last.size < this.options.maxSize) return last;
    const batch = new Batch<Item, Result>(owner);
    batch.timer = setTimeout(() => this.timeOut(batch), this.options.timeoutMs).unref();
    queue.push(batch);
    this.waiting.set(owner, queue);
    return batch;
  }

  /** Removes the oldest batch of the next owner in turn that may start one. */
  private takeNext(): Batch<Item, Result> | undefined {
    const running = [...this.running];
    for (const [owner, [batch]] of this.waiting) {
      if (!batch || this.isFull(running, owner)) continue;
      this.dequeue(batch);
      return batch;
    }
    return undefined;
  }

  /** The next turn of its owner is the last one. */
  private dequeue(batch: Batch<Item, Result>): void {
    const others = this.waiting.get(batch.owner)?.filter((other) => other !== batch) ?? [];
    this.waiting.delete(batch.owner);
    if (others.length > 0) this.waiting.set(batch.owner, others);
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

  private async start(batch: Batch<Item, Result>): Promise<void> {
    this.running.add(batch);
    this.options.onStart?.(batch.size);
    await this.settle(batch);
    clearTimeout(batch.timer);
    this.running.delete(batch);
    this.scheduleStart();
  }

  private async settle(batch: Batch<Item, Result>): Promise<void> {
    try {
      await this.run(batch.entries);
    } catch (error) {
      if (batch.size > 1 && this.options.hadNoEffect(error)) await this.runAlone(batch);
      else for (const { reject } of batch.entries) reject(error);
    }
  }

  private async runAlone(batch: Batch<Item, Result>): Promise<void> {
    for (const entry of batch.entries) {
      // The timeout has rejected the others: a rejected request must have no effect later.
      if (batch.hasTimedOut) return;
      await this.run([entry]).catch(entry.reject);
    }
  }

  private async run(entries: readonly Entry<Item, Result>[]): Promise<void> {
    const results = await this.options.run(entries.map(({ item }) => item));
    entries.forEach(({ resolve }, index) => resolve(results[index] as Result));
  }

  private timeOut(batch: Batch<Item, Result>): void {
    if (!this.running.has(batch)) this.dequeue(batch);
    batch.hasTimedOut = true;
    for (const { reject } of batch.entries) reject(databaseAway());
  }
}

interface Entry<Item, Result> {
  item: Item;
  promise: Promise<Result>;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

class Batch<Item, Result> {
  readonly entries: Entry<Item, Result>[] = [];
  timer: NodeJS.Timeout | undefined;
  hasTimedOut = false;
  private readonly entryOf = new Map<string, Entry<Item, Result>>();

  constructor(readonly owner: Owner) {}

  get size(): number {
    return this.entries.length;
  }

  add(item: Item, key: string | undefined): Promise<Result> {
    const same = key === undefined ? undefined : this.entryOf.get(key);
    if (same) return same.promise;
    const entry = createEntry<Item, Result>(item);
    this.entries.push(entry);
    if (key !== undefined) this.entryOf.set(key, entry);
    return entry.promise;
  }
}

function createEntry<Item, Result>(item: Item): Entry<Item, Result> {
  let resolve!: Entry<Item, Result>['resolve'];
  let reject!: Entry<Item, Result>['reject'];
  const promise = new Promise<Result>((onResult, onError) => {
    resolve = onResult;
    reject = onError;
  });
  return { item, promise, resolve, reject };
}
