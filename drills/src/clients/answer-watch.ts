import type { Tally } from '../tally.js';

/** Looks at every answer that a client gets, its retries' too: only success, 409 and 503 with Retry-After are right. */
export class AnswerWatch {
  /** How long the slowest 503 took. */
  slowestRefusalMs = 0;

  constructor(private readonly tally: Tally) {}

  /** To be given to a client. */
  readonly fetch: typeof globalThis.fetch = async (...request) => {
    const begin = performance.now();
    const answer = await globalThis.fetch(...request);
    if (!answer.ok && answer.status !== 409) await this.#judge(answer.clone(), performance.now() - begin);
    return answer;
  };

  async #judge(answer: Response, ms: number): Promise<void> {
    const { status, headers } = answer;
    if (status === 503) {
      this.tally.refused += 1;
      this.slowestRefusalMs = Math.max(this.slowestRefusalMs, ms);
      return this.tally.expect(headers.has('retry-after'), 'a 503 came without Retry-After');
    }
    this.tally.wrong.push(`an answer was ${status}: ${(await answer.text()).slice(0, 200)}`);
  }
}
