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

interface Writing {
  /** Creates the client of each writer. */
  clientOf: (writer: number, options: Partial<PetstoreClientOptions>) => PetstoreClient;
  writers: number;
  tally: Tally;
}

/** Writers that create animals in sequence with the client library. Each retries with its idempotency key until it succeeds. */
export class WritingClients {
  /** The name and id of each acknowledged animal. */
  readonly acknowledged = new Map<string, bigint>();
  readonly responses: ResponseWatch;
  /** The id of the animal that was acknowledged last. */
  newest: bigint | undefined;
  readonly #run = randomUUID();
  readonly #running: Promise<void>[];
  #lastAt = performance.now();
  #isFinishing = false;

  constructor(private readonly options: Writing) {
    this.responses = new ResponseWatch(options.tally);
    this.#running = Array.from({ length: options.writers }, (_, writer) => this.#write(writer));
  }

  /** Lets each writer complete its current animal, then stops. */
  async finish(): Promise<ReadonlyMap<string, bigint>> {
    this.#isFinishing = true;
    await Promise.all(this.#running);
    return this.acknowledged;
  }

  /** Waits until another animal is acknowledged. Returns the milliseconds that took. */
  async nextAcknowledged(): Promise<number> {
    const begin = performance.now();
    const before = this.acknowledged.size;
    while (this.acknowledged.size === before && !this.#isFinishing) await sleep(5);
    return performance.now() - begin;
  }

  async #write(writer: number): Promise<void> {
    const client = this.options.clientOf(writer, { retries: 3, timeoutMs: 20_000, fetch: this.responses.fetch });
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
        if (isTransient(error)) continue;
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
    this.newest = id;
  }
}

/** Whether the same request may succeed later. */
function isTransient(error: unknown): boolean {
  if (error instanceof PetstoreApiError) return [409, 429, 503].includes(error.status);
  return error instanceof PetstoreNetworkError || error instanceof PetstoreTimeoutError;
}

/** Checks every response of a client, including retries: only success, 409 and 503 with Retry-After are allowed. */
class ResponseWatch {
  /** The time of the slowest 503. */
  slowestRejectionMs = 0;

  constructor(private readonly tally: Tally) {}

  /** The `fetch` option of the client. */
  readonly fetch: typeof globalThis.fetch = async (...request) => {
    const begin = performance.now();
    const response = await globalThis.fetch(...request);
    if (!response.ok && response.status !== 409) await this.#check(response.clone(), performance.now() - begin);
    return response;
  };

  async #check(response: Response, ms: number): Promise<void> {
    const { status, headers } = response;
    if (status === 503) {
      this.tally.rejected += 1;
      this.slowestRejectionMs = Math.max(this.slowestRejectionMs, ms);
      return this.tally.expect(headers.has('retry-after'), 'a 503 has no Retry-After');
    }
    this.tally.wrong.push(`a request returned ${status}: ${(await response.text()).slice(0, 200)}`);
  }
}

/** Compares the acknowledged animals (name to id) with all stored ones: each must be stored exactly once, and no other. */
export async function audit(
  client: PetstoreClient,
  acknowledged: ReadonlyMap<string, bigint>,
  tally: Tally,
): Promise<void> {
  const stored = new Map<string, bigint[]>();
  for await (const { id, name } of client.listPets({ limit: 100 })) {
    stored.set(name, [...(stored.get(name) ?? []), id]);
  }
  for (const [name, id] of acknowledged) if (!stored.get(name)?.includes(id)) tally.lost += 1;
  for (const [name, ids] of stored) {
    if (ids.length > 1) tally.duplicated += ids.length - 1;
    tally.expect(acknowledged.has(name), `"${name}" is stored but was not acknowledged`);
  }
}
