import { setTimeout as sleep } from 'node:timers/promises';
import { type ListPetsOptions, PetstoreApiError, type PetstoreClient, type PetPage } from '@petstore/client';
import { maxRetryAfterMs } from './connection.js';

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
  /** Simultaneous requests share a wait. */
  private waiting: Promise<void> | undefined;

  constructor(private readonly options: RateLimitOptions) {}

  async pass<Result>(send: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await send();
      } catch (error) {
        if (this.options.wait === false || !isLongWait(error)) throw error;
        await (this.waiting ??= this.wait(error).finally(() => (this.waiting = undefined)));
      }
    }
  }

  /** The pages of a list. */
  async *pages(client: PetstoreClient, query: ListPetsOptions): AsyncGenerator<PetPage, void> {
    let after: string | undefined;
    do {
      const list = client.listPets({ ...query, after }, { signal: this.options.signal });
      const page = await this.pass(() => list.page());
      yield page;
      after = page.next;
    } while (after !== undefined);
  }

  private async wait({ retryAfter = 1, status }: PetstoreApiError): Promise<void> {
    const { signal, print = console.error } = this.options;
    const seconds = Math.max(1, retryAfter);
    const progress = this.progress();
    print(
      `Waiting ${seconds} s for ${status === 429 ? 'the rate limit' : 'the service'}${progress && `, ${progress}`}`,
    );
    await sleep(seconds * 1000, undefined, signal && { signal }).catch(() => {
      throw signal?.reason;
    });
  }
}

/** The client has already waited for what is not longer than its maximum. */
function isLongWait(error: unknown): error is PetstoreApiError {
  if (!(error instanceof PetstoreApiError) || error.retryAfter === undefined) return false;
  return error.status === 429 || error.retryAfter * 1000 > maxRetryAfterMs;
}
