import { setTimeout as sleep } from 'node:timers/promises';
import { type ListPetsOptions, PetstoreApiError, type PetstoreClient, type PetPage, walkPages } from '@petstore/client';

/** Repeats a request that exceeds the rate limit of the API key, after the time that the service names. */
export class RateLimitGate {
  /** Simultaneous requests share a wait. */
  private waiting: Promise<void> | undefined;

  /**
   * @param flags with `wait: false` (`--no-wait`), it repeats nothing
   * @param print shows each wait
   */
  constructor(
    private readonly flags: { wait?: boolean },
    private readonly print: (text: string) => void = console.error,
    private readonly signal?: AbortSignal,
  ) {}

  async pass<Result>(send: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await send();
      } catch (error) {
        if (this.flags.wait === false || !isRateLimited(error)) throw error;
        await (this.waiting ??= this.wait(error).finally(() => (this.waiting = undefined)));
      }
    }
  }

  /** The pages of a list. */
  pages(client: PetstoreClient, query: ListPetsOptions): AsyncGenerator<PetPage, void> {
    const { signal } = this;
    return walkPages((after) => {
      const list = client.listPets({ ...query, after }, { signal });
      return this.pass(() => list.page().withResponse());
    }, query);
  }

  private async wait({ retryAfter = 1 }: PetstoreApiError): Promise<void> {
    const { signal } = this;
    const seconds = Math.max(1, retryAfter);
    this.print(`Waiting ${seconds} s for the rate limit`);
    await sleep(seconds * 1000, undefined, signal && { signal }).catch(() => {
      throw signal?.reason;
    });
  }
}

/** Without `Retry-After`, the response is probably one of a proxy. */
function isRateLimited(error: unknown): error is PetstoreApiError {
  return error instanceof PetstoreApiError && error.status === 429 && error.retryAfter !== undefined;
}
