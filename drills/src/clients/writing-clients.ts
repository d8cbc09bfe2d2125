import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  PetstoreApiError,
  type PetstoreClient,
  type PetstoreClientOptions,
  PetstoreNetworkError,
  PetstoreTimeoutError,
} from '@petstore/client';
import type { Tally } from '../tally.js';
import { AnswerWatch } from './answer-watch.js';

export interface Writing {
  /** Makes the client of each writer. */
  clientOf: (writer: number, options: Partial<PetstoreClientOptions>) => PetstoreClient;
  writers: number;
  tally: Tally;
}

/**
 * Clients that add animals one after the other by the client library, each repeated under its idempotency key until it
 * is acknowledged, however long that takes.
 */
export class WritingClients {
  /** Name and id of each animal that was acknowledged. */
  readonly acknowledged = new Map<string, bigint>();
  readonly answers: AnswerWatch;
  readonly #run = randomUUID();
  readonly #running: Promise<void>[];
  #lastAt = performance.now();
  #isFinishing = false;

  constructor(private readonly options: Writing) {
    this.answers = new AnswerWatch(options.tally);
    this.#running = Array.from({ length: options.writers }, (_, writer) => this.#write(writer));
  }

  /** Has each client end with the animal that it is at. */
  async finish(): Promise<ReadonlyMap<string, bigint>> {
    this.#isFinishing = true;
    await Promise.all(this.#running);
    return this.acknowledged;
  }

  /** Resolves once another animal has been acknowledged; how many milliseconds that took. */
  async nextAcknowledged(): Promise<number> {
    const begin = performance.now();
    const before = this.acknowledged.size;
    while (this.acknowledged.size === before && !this.#isFinishing) await sleep(5);
    return performance.now() - begin;
  }

  async #write(writer: number): Promise<void> {
    const client = this.options.clientOf(writer, { retries: 3, timeoutMs: 20_000, fetch: this.answers.fetch });
    for (let number = 0; !this.#isFinishing; number += 1) {
      const name = `animal ${number} of writer ${writer}`;
      const id = await this.#create(client, name);
      if (id === undefined) return;
      this.#acknowledge(name, id);
    }
  }

  async #create(client: PetstoreClient, name: string): Promise<bigint | undefined> {
    const idempotencyKey = `${this.#run}-${name.replaceAll(' ', '-')}`;
    for (;;) {
      try {
        return (await client.createPet({ name, categoryId: 1n }, { idempotencyKey })).id;
      } catch (error) {
        if (isPassing(error)) continue;
        this.options.tally.wrong.push(`a create failed: ${(error as Error).message}`);
        return undefined;
      }
    }
  }

  #acknowledge(name: string, id: bigint): void {
    const now = performance.now();
    const { tally } = this.options;
    tally.acknowledged += 1;
    tally.longestGapMs = Math.max(tally.longestGapMs, now - this.#lastAt);
    this.#lastAt = now;
    this.acknowledged.set(name, id);
  }
}

/** What the same request may get over. */
function isPassing(error: unknown): boolean {
  if (error instanceof PetstoreApiError) return [409, 429, 503].includes(error.status);
  return error instanceof PetstoreNetworkError || error instanceof PetstoreTimeoutError;
}
