import { isTemporary, PetstoreApiError } from '@petstore/client';
import { idempotencyRetentionHours, type NewPet, type Pet, samePetKey } from '@petstore/contracts';
import type { RowAnimal } from './check-rows.js';

/** Creates an animal by one request. A `PetstoreClient` with `importClientOptions`: the import repeats requests itself. */
export interface PetCreator {
  createPet(newPet: NewPet, options: { idempotencyKey: string }): Promise<Pet>;
}

export const importClientOptions = { timeoutMs: 30_000, retries: 0 };

/** Long enough for a restart or an upgrade of the service. */
export const usualOutageMs = 300_000;

const defaultConcurrency = 32;

export interface SendOptions {
  client: PetCreator;
  /** The idempotency key of a row. A row that is sent again needs the same one. */
  keyOf: (animal: RowAnimal) => string;
  /** When the first request of the import was sent, as `Date.now()`. Default: now. */
  startedAt?: number | undefined;
  /** The number of simultaneous requests. Default: 32. */
  concurrency?: number | undefined;
  /**
   * How long requests are repeated while the service does not answer, in ms since the first failure. Then the import stops.
   * Default: 0, which does not wait for the rate limit either.
   */
  maxOutageMs?: number | undefined;
  /** Called once when the import begins to wait: for the rate limit, or for a service that does not answer. */
  onWait?: ((wait: { seconds: number; status: number | undefined }) => void) | undefined;
  /** Stops the import after the requests that are running. */
  signal?: AbortSignal | undefined;
  onOutcome?: ((outcome: Outcome) => void) | undefined;
}

/** What the service answered for a row. */
export type Outcome =
  | { state: 'created'; row: number; petId: bigint }
  | { state: 'rejected'; row: number; reason: string };

export interface SendResult {
  /** Whether every row has an outcome. */
  isComplete: boolean;
  /** Why the import stopped early, unless its signal was aborted. */
  failure: Error | undefined;
}

/** The message is complete for the user: what is wrong and how to fix it. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

/** One hour less than the service keeps idempotency keys. */
const validMs = (idempotencyRetentionHours - 1) * 3_600_000;

/** Whether the rows of an import may be sent again without adding an animal twice. */
export function isCurrent(startedAt: number): boolean {
  // The clock of the device may have been set back.
  return Math.abs(Date.now() - startedAt) < validMs;
}

/**
 * Sends the animals of a table. Failed requests stop the import, but do not throw: the result has the `failure`. Send all rows
 * again to continue, or compare the table with the store again.
 */
export async function sendAnimals(animals: readonly RowAnimal[], options: SendOptions): Promise<SendResult> {
  return new Sending(animals, options).run();
}

class Sending {
  private isComplete = true;
  private failure: Error | undefined;
  /** The time of the first failure since the last answer of the service. */
  private outageSince: number | undefined;
  /** While it is set, no request starts: it would fail again. */
  private pause: Promise<void> | undefined;

  private readonly startedAt: number;

  constructor(
    private readonly animals: readonly RowAnimal[],
    private readonly options: SendOptions,
  ) {
    this.startedAt = options.startedAt ?? Date.now();
  }

  async run(): Promise<SendResult> {
    const groups = groupSame(this.animals).values();
    const sendNext = async () => {
      for (const group of groups) await this.sendInOrder(group);
    };
    await Promise.all(Array.from({ length: this.options.concurrency ?? defaultConcurrency }, sendNext));
    return { isComplete: this.isComplete, failure: this.failure };
  }

  private async sendInOrder(animals: readonly RowAnimal[]): Promise<void> {
    for (const animal of animals) {
      if (this.hasStopped) {
        this.isComplete = false;
        return;
      }
      await this.send(animal);
      await this.pause;
    }
  }

  private get hasStopped(): boolean {
    return this.options.signal?.aborted === true || this.failure !== undefined;
  }

  private async send(animal: RowAnimal): Promise<void> {
    const { row, ...pet } = animal;
    try {
      const { id: petId } = await this.create(pet, this.options.keyOf(animal));
      this.options.onOutcome?.({ state: 'created', row, petId });
    } catch (error) {
      if (isRejected(error)) return this.options.onOutcome?.({ state: 'rejected', row, reason: error.message });
      this.isComplete = false;
      if (!this.hasStopped) this.failure = error as Error;
    }
  }

  /** Repeats a request while the service does not answer, for example because it restarts, and above the rate limit. */
  private async create(pet: NewPet, idempotencyKey: string): Promise<Pet> {
    const { client, maxOutageMs = 0 } = this.options;
    for (;;) {
      // The device may have slept since the last request, and the service forgets idempotency keys.
      if (!isCurrent(this.startedAt)) throw new ImportError(tooOld);
      try {
        const created = await client.createPet(pet, { idempotencyKey });
        this.outageSince = undefined;
        return created;
      } catch (error) {
        const outageMs = this.outageSince === undefined ? 0 : performance.now() - this.outageSince;
        if (!isTemporary(error) || this.hasStopped || outageMs >= maxOutageMs) throw error;
        await (this.pause ??= this.startPause(error));
        if (this.hasStopped) throw error;
      }
    }
  }

  private async startPause(error: unknown): Promise<void> {
    const { onWait, signal } = this.options;
    const { retryAfter = 1, status } = error as Partial<PetstoreApiError>;
    const seconds = Math.max(1, retryAfter);
    if (this.outageSince === undefined) {
      this.outageSince = performance.now();
      onWait?.({ seconds, status });
    }
    await sleep(seconds, signal);
    this.pause = undefined;
  }
}

/**
 * Groups the animals that a comparison with the store cannot distinguish. Each group is sent in the order of the table: after an
 * interruption, the animals of its first rows are those that the store has, as `compareWithStore` assumes.
 */
function groupSame(animals: readonly RowAnimal[]): Map<string, RowAnimal[]> {
  const groups = new Map<string, RowAnimal[]>();
  for (const animal of animals) {
    const key = samePetKey(animal);
    const group = groups.get(key);
    if (group) group.push(animal);
    else groups.set(key, [animal]);
  }
  return groups;
}

const tooOld =
  'This import began more than 23 hours ago, so its rows cannot be sent again safely. Start it again: the file is compared with the store.';

/** Ends early when the signal is aborted. */
function sleep(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, seconds * 1000);
    signal?.addEventListener('abort', wake);
  });
}

/** These statuses mean that this animal is invalid. Any other error concerns the whole import. */
function isRejected(error: unknown): error is PetstoreApiError {
  return (
    error instanceof PetstoreApiError && error.code !== 'unexpected_response' && [400, 413, 422].includes(error.status)
  );
}
