import type { Tally } from '../tally.js';

/** Checks every response of a client, including retries: only success, 409 and 503 with Retry-After are allowed. */
export class ResponseWatch {
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
