import ky, { isHTTPError, isTimeoutError, type KyInstance, type Options } from 'ky';
import { readError } from './answers.js';
import { PetstoreNetworkError, PetstoreTimeoutError } from './errors.js';
import type { CheckedOptions } from './options.js';
import { keepReadableWait, retryAfter } from './retry-after.js';

// 409 has one meaning: an earlier attempt of the same create is still at work.
const retriedStatuses = [409, 429, 502, 503, 504];
const longestDelayMs = 5_000;

/** Sends requests with the key, and tries again what may be tried again: timeouts, retries and delays are ky's. */
export class Transport {
  private readonly http: KyInstance;

  constructor(private readonly options: CheckedOptions) {
    this.http = ky.create({
      prefixUrl: options.baseUrl,
      timeout: options.timeoutMs,
      fetch: (request) => this.attempt(request as Request),
      retry: {
        limit: options.retries,
        methods: ['get', 'post'],
        statusCodes: retriedStatuses,
        afterStatusCodes: retriedStatuses,
        maxRetryAfter: options.maxRetryAfterMs,
        retryOnTimeout: true,
        delay: (retry) => Math.min(300 * 2 ** (retry - 1), longestDelayMs),
        jitter: true,
        shouldRetry: ({ error }) => (isHTTPError(error) && this.asksForTooLong(error.response) ? false : undefined),
      },
    });
  }

  /**
   * The answer to a request, when its status is one of success.
   * @throws what the operations of the client throw
   */
  async send(request: Options, signal: AbortSignal | undefined): Promise<Response> {
    try {
      return await this.http('pets', { ...request, signal: signal ?? null });
    } catch (error) {
      throw signal?.aborted ? signal.reason : await this.explain(error);
    }
  }

  /**
   * One attempt, with its whole answer: a body that is lost on the way or late then counts as one that never began.
   * The key comes in here, behind ky, so that no error of ky's can hold it.
   */
  private async attempt(request: Request): Promise<Response> {
    // Taken out first: a browser's own fetch may not be called as a method of something else.
    const { apiKey, fetch } = this.options;
    const { method, signal } = request;
    const headers = new Headers(request.headers);
    headers.set('authorization', `Bearer ${apiKey}`);
    const body = (await request.text()) || null;
    // The API redirects nowhere, and where something else would lead the key is not meant to go.
    const answer = await fetch(request.url, { method, headers, body, signal, redirect: 'error' });
    return keepReadableWait(new Response((await answer.text()) || null, answer));
  }

  private asksForTooLong(answer: Response): boolean {
    return (retryAfter(answer) ?? 0) * 1000 > this.options.maxRetryAfterMs;
  }

  private explain(error: unknown): Promise<Error> | Error {
    const { baseUrl, timeoutMs } = this.options;
    if (isHTTPError(error)) return readError(error.response, inShort(error));
    if (isTimeoutError(error)) {
      return new PetstoreTimeoutError(`No answer within ${timeoutMs} ms`, { cause: inShort(error) });
    }
    return new PetstoreNetworkError(`The connection to ${baseUrl.host} failed or was lost`, { cause: error });
  }
}

/** Without the request and the answer that an error of ky's holds: wherever it is shown, they would take a page. */
function inShort({ name, message }: Error): Error {
  return Object.assign(new Error(message), { name });
}
