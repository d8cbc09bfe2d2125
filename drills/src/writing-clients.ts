import { setTimeout as sleep } from 'node:timers/promises';
import { newIdempotencyKey, type PetstoreClient } from '@petstore/client';
import { expect } from 'vitest';
import { clientOf } from './drill.js';

/** Of all animals of the writers. */
const category = 1n;

interface Options {
  /** The address of the service for the next request of a client. */
  url: string | ((client: number) => string);
  writers: number;
  readers?: number;
  /** Before each request. */
  pauseMs?: number;
}

/** Counts requests, and the longest time between the ends of two of them. */
class Counter {
  count = 0;
  longestGapMs = 0;
  #lastAt = performance.now();

  add(): void {
    this.count += 1;
    this.longestGapMs = Math.max(this.longestGapMs, performance.now() - this.#lastAt);
    this.#lastAt = performance.now();
  }
}

/**
 * Writers create animals in sequence. Each retries with its idempotency key until it succeeds. Readers look for the newest
 * acknowledged animal.
 */
export class WritingClients {
  /** The names of the acknowledged animals by id. */
  readonly acknowledged = new Map<bigint, string>();
  readonly writes = new Counter();
  readonly reads = new Counter();
  /** The number of 503 responses. */
  rejected = 0;
  /** The errors of connections that broke. */
  readonly broken: string[] = [];
  /** What the service must never return. */
  readonly #wrong: string[] = [];
  #newest: bigint | undefined;
  readonly #running: Promise<void>[];
  #isFinishing = false;

  constructor(private readonly options: Options) {
    const { writers, readers = 0 } = options;
    this.#running = Array.from({ length: writers + readers }, (_, index) =>
      index < writers ? this.#write(index) : this.#read(index),
    );
  }

  /** Waits until another animal is acknowledged. Returns the milliseconds that took. */
  async nextAcknowledged(): Promise<number> {
    const begin = performance.now();
    const before = this.writes.count;
    while (this.writes.count === before) {
      expect(this.#wrong).toEqual([]);
      await sleep(5);
    }
    return performance.now() - begin;
  }

  /** Lets each client complete its current request, then stops. */
  async finish(): Promise<void> {
    this.#isFinishing = true;
    await Promise.all(this.#running);
    expect(this.#wrong).toEqual([]);
  }

  /** Stops, then checks that each acknowledged animal is stored exactly once, and no other. */
  async audit(url: string): Promise<void> {
    await this.finish();
    const stored = new Map<bigint, string>();
    for await (const { id, name } of clientOf(url).listPets({ limit: 100, categoryId: [category] }))
      stored.set(id, name);
    const missingIn = (animals: ReadonlyMap<bigint, string>) => (pet: [bigint, string]) =>
      animals.get(pet[0]) !== pet[1];
    const lost = [...this.acknowledged].filter(missingIn(stored));
    const unexpected = [...stored].filter(missingIn(this.acknowledged));
    const count = stored.size;
    expect({ lost, unexpected, count }).toEqual({ lost: [], unexpected: [], count: this.writes.count });
  }

  async #write(writer: number): Promise<void> {
    const client = this.#client(writer, 3);
    for (let number = 0; !this.#isFinishing; number += 1) {
      const name = `animal ${number} of writer ${writer}`;
      const id = await this.#create(client, name);
      if (id === undefined) return;
      this.acknowledged.set(id, name);
      this.#newest = id;
      this.writes.add();
    }
  }

  /** Returns `undefined` after a wrong response. */
  async #create(client: PetstoreClient, name: string): Promise<bigint | undefined> {
    const idempotencyKey = newIdempotencyKey();
    while (this.#wrong.length === 0) {
      const create = client.createPet({ name, categoryId: category }, { idempotencyKey });
      const pet = await create.catch(() => undefined);
      if (pet) return pet.id;
    }
    return undefined;
  }

  async #read(reader: number): Promise<void> {
    const client = this.#client(reader, 0);
    await this.nextAcknowledged();
    while (!this.#isFinishing) {
      const pet = await client.getPet(this.#newest ?? 0n).catch((error: Error) => error);
      if (pet === undefined) this.#wrong.push('a read did not find an acknowledged animal');
      if (!(pet instanceof Error)) this.reads.add();
    }
  }

  #client(index: number, retries: number): PetstoreClient {
    const { url, pauseMs = 0 } = this.options;
    const urlOf = typeof url === 'string' ? () => url : url;
    const fetch: typeof globalThis.fetch = async (request, init) => {
      const { pathname, search } = new URL(request);
      if (pauseMs > 0) await sleep(pauseMs);
      return this.#fetch(`${urlOf(index)}${pathname}${search}`, init);
    };
    return clientOf(urlOf(index), { retries, timeoutMs: 20_000, fetch });
  }

  async #fetch(url: string, init?: RequestInit): Promise<Response> {
    const response = await fetch(url, init).catch((error: Error) => {
      this.broken.push(error.cause instanceof Error ? error.cause.message : error.message);
      throw error;
    });
    const { status, headers } = response;
    if (status === 503) this.rejected += 1;
    // 409: the first attempt of the same create still runs.
    const isAllowed = response.ok || status === 409 || (status === 503 && headers.has('retry-after'));
    if (!isAllowed) this.#wrong.push(`${status} ${await response.clone().text()}`);
    return response;
  }
}
