import ky, { isHTTPError, isTimeoutError, type KyInstance, type Options } from 'ky';
import { observeAttempt } from './attempt.js';
import { readError } from './error-response.js';
import { PetstoreNetworkError, PetstoreTimeoutError } from './errors.js';
import { type CheckedOptions, checkTimeout, type RequestOptions } from './options.js';
import { removeUnknownDelays, retryAfter } from './retry-after.js';

// 409 has one meaning: an earlier attempt of the same create is still running.
const retriedStatuses = [409, 429, 502, 503, 504];
const maxDelayMs = 5_000;

/** Sends requests with the API key. ky implements timeouts, retries and delays. */
export class Transport {
  private readonly http: KyInstance;

  constructor(private readonly options: CheckedOptions) {
    this.http = ky.create({
      prefixUrl: options.baseUrl,
      retry: {
        limit: options.retries,
        methods: ['get', 'post'],
        statusCodes: retriedStatuses,
        afterStatusCodes: retriedStatuses,
        maxRetryAfter: options.maxRetryAfterMs,
        retryOnTimeout: true,
        delay: (retry) => Math.min(300 * 2 ** (retry - 1), maxDelayMs),
        jitter: true,
        shouldRetry: ({ error }) =>
          isHTTPError(error) && this.exceedsMaxRetryAfter(error.response) ? false : undefined,
      },
    });
  }

  /** Sends a request and returns its 2xx response. Throws what the operations of the client throw. */
  async send(request: Options, { signal, timeoutMs }: RequestOptions): Promise<Response> {
    const timeout = checkTimeout(timeoutMs ?? this.options.timeoutMs);
    const { onAttempt } = this.options;
    let number = 0;
    const fetch = (attempt: Request) =>
      observeAttempt(attempt, { number: (number += 1), onAttempt, send: () => this.attempt(attempt) });
    try {
      return await this.http('pets', {
        ...request,
        timeout,
        fetch: fetch as typeof globalThis.fetch,
        signal: signal ?? null,
      });
    } catch (error) {
      throw signal?.aborted ? signal.reason : await this.explain(error, timeout);
    }
  }

  /**
   * Sends one attempt and reads the whole body, so that a lost or late body is retried too. The key is added here, because
   * errors of ky contain the request.
   */
  private async attempt(request: Request): Promise<Response> {
    // Destructured, because a browser's fetch must not be called as a method.
    const { apiKey, fetch } = this.options;
    const { method, signal } = request;
    const headers = new Headers(request.headers);
    headers.set('authorization', `Bearer ${apiKey}`);
    const body = (await request.text()) || null;
    // The API does not redirect. The key must not be sent to another server.
    const response = await fetch(request.url, { method, headers, body, signal, redirect: 'error' });
    return removeUnknownDelays(new Response((await response.text()) || null, response));
  }

  private exceedsMaxRetryAfter(response: Response): boolean {
    return (retryAfter(response) ?? 0) * 1000 > this.options.maxRetryAfterMs;
  }

  private explain(error: unknown, timeoutMs: number): Promise<Error> | Error {
    const { baseUrl } = this.options;
    if (isHTTPError(error)) return readError(error.response, withoutRequest(error));
    if (isTimeoutError(error)) {
      return new PetstoreTimeoutError(`No response within ${timeoutMs} ms.`, { cause: withoutRequest(error) });
    }
    return new PetstoreNetworkError(`The connection to ${baseUrl.host} failed.`, { cause: error });
  }
}

/** Copies an error of ky without its request and response, which would fill a page of output. */
function withoutRequest({ name, message }: Error): Error {
  return Object.assign(new Error(message), { name });
}
