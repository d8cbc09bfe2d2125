import { setTimeout as sleep } from 'node:timers/promises';
import { PetstoreApiError, type PetstoreClient, type PetPage, type ListPetsOptions, type Wait } from '@petstore/client';
import { maxRetryAfterMs } from './connection.js';

/** In this time, the responses of the requests before arrive, so that the progress is right. */
const settleMs = 200;

interface RateLimitOptions {
  /** `false` fails at once instead (`--no-wait`). */
  wait?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Shows each wait. */
  print?: (text: string) => void;
}

/** Repeats a request after the time that the service names: above the rate limit of the API key, or while it is unavailable. */
export class RateLimitGate {
  /** What the wait is followed by on the screen, such as `1,200 of 50,000 done`. */
  progress: () => string = () => '';
  /** While it is set, no request starts: it would exceed the limit again. */
  private waiting: Promise<void> | undefined;

  constructor(private readonly options: RateLimitOptions) {}

  async pass<Result>(send: () => Promise<Result>): Promise<Result> {
    for (;;) {
      await this.waiting;
      try {
        return await send();
      } catch (error) {
        const wait = this.options.wait === false ? undefined : waitOf(error);
        if (!wait) throw error;
        this.waiting ??= this.wait(wait);
      }
    }
  }

  /** The pages of a list. */
  async *pages(client: PetstoreClient, query: ListPetsOptions): AsyncGenerator<PetPage, void> {
    let after: string | undefined;
    do {
      const { signal } = this.options;
      const list = client.listPets({ ...query, after }, { signal });
      const page = await this.pass(() => list.page());
      yield page;
      after = page.next;
    } while (after !== undefined);
  }

  private async wait({ seconds, status }: Wait): Promise<void> {
    const { signal, print = console.error } = this.options;
    const cause = status === 429 ? 'the rate limit' : 'the service';
    try {
      await sleep(settleMs, undefined, signal && { signal });
      const progress = this.progress();
      print(`Waiting ${seconds} s for ${cause}${progress && `, ${progress}`}`);
      await sleep(seconds * 1000 - settleMs, undefined, signal && { signal });
    } catch {
      throw signal?.reason;
    } finally {
      this.waiting = undefined;
    }
  }
}

/** The client has already waited for what is not longer than its maximum. */
function waitOf(error: unknown): Wait | undefined {
  if (!(error instanceof PetstoreApiError) || error.retryAfter === undefined) return undefined;
  const { status, retryAfter } = error;
  const isWait = status === 429 || retryAfter * 1000 > maxRetryAfterMs;
  return isWait ? { seconds: Math.max(1, retryAfter), status } : undefined;
}
