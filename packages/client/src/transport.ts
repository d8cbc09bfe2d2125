import ky, { isHTTPError, isTimeoutError, type KyInstance, type Options } from 'ky';
import { callSafely, observeAttempt } from './attempt.js';
import { connectionFault, PetstoreNetworkError, PetstoreTimeoutError, retriedStatuses } from './errors.js';
import { type CheckedOptions, checkTimeout, type RequestOptions } from './options.js';
import { readError, removeUnknownDelays, retryAfter } from './responses.js';

const maxDelayMs = 5_000;

const version = '1.0.0';

/** Browsers send their own. */
const userAgent =
  'document' in globalThis || 'WorkerGlobalScope' in globalThis ? {} : { 'user-agent': `@petstore/client/${version}` };

/** A request of an operation. Its headers replace those of the call. */
interface ApiRequest extends Pick<Options, 'method' | 'searchParams'> {
  /** Relative to the `baseUrl`. Default: `pets`. */
  path?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** The API does not redirect. The key must not be sent to another server. */
class Redirected extends Error {}

/** Sends requests with the API key. ky implements timeouts, retries and delays. */
export class Transport {
  readonly #http: KyInstance;
  /** Private also at run time, so that no log of a client has the API key. */
  readonly #options: CheckedOptions;

  constructor(options: CheckedOptions) {
    this.#options = options;
    this.#http = ky.create({
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
        shouldRetry: ({ error }) => this.shouldRetry(error),
      },
    });
  }

  /** Sends a request and returns its 2xx response. Throws what the operations of the client throw. */
  async send(
    { path = 'pets', body, ...request }: ApiRequest,
    { signal, timeoutMs, headers }: RequestOptions,
  ): Promise<Response> {
    const timeout = checkTimeout(timeoutMs ?? this.#options.timeoutMs);
    const { onAttempt } = this.#options;
    let number = 0;
    const fetch = (attempt: Request) =>
      observeAttempt(attempt, { number: (number += 1), onAttempt, send: () => this.attempt(attempt, body) });
    try {
      return await this.#http(path, {
        ...request,
        headers: withOwnHeaders(headers, request.headers),
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
   * errors of ky contain the request. The body is too, because ky would copy it as a stream for each attempt.
   */
  private async attempt(request: Request, body = ''): Promise<Response> {
    // Destructured, because a browser's fetch must not be called as a method.
    const { apiKey, fetch } = this.#options;
    const { method, signal } = request;
    const headers = new Headers(request.headers);
    headers.set('authorization', `Bearer ${apiKey}`);
    const response = await fetch(request.url, { method, headers, body: body || null, signal, redirect: 'manual' });
    await this.rejectRedirect(response);
    // Bytes, because a text would add a content type.
    const bytes = await response.arrayBuffer();
    return removeUnknownDelays(new Response(bytes.byteLength > 0 ? bytes : null, response));
  }

  /** A browser hides the status and the target of a redirect. */
  private async rejectRedirect({ type, status, headers, body }: Response): Promise<void> {
    if (type !== 'opaqueredirect' && ![301, 302, 303, 307, 308].includes(status)) return;
    await body?.cancel();
    const target = headers.get('location');
    const { host } = this.#options.baseUrl;
    throw new Redirected(`${host} redirects${target ? ` to ${target}` : ''}. Use the final address instead.`);
  }

  /** Returns `false` if a retry is useless, or the service asks for a longer wait than allowed. */
  private shouldRetry(error: Error): false | undefined {
    if (error instanceof Redirected) return false;
    if (!isHTTPError(error)) return undefined;
    const { maxRetryAfterMs, onWait } = this.#options;
    const { status } = error.response;
    const seconds = retryAfter(error.response);
    if (seconds === undefined || !retriedStatuses.includes(status)) return undefined;
    if (seconds * 1000 > maxRetryAfterMs) return false;
    callSafely('onWait', () => onWait({ seconds, status }));
    return undefined;
  }

  private explain(error: unknown, timeoutMs: number): Promise<Error> | Error {
    const { baseUrl } = this.#options;
    if (isHTTPError(error)) return readError(error.response, withoutRequest(error));
    if (isTimeoutError(error)) {
      return new PetstoreTimeoutError(`No response within ${timeoutMs} ms.`, { cause: withoutRequest(error) });
    }
    if (error instanceof Redirected) return new PetstoreNetworkError(error.message);
    const fault = connectionFault(error);
    const message = `The connection to ${baseUrl.host} failed${fault ? `: ${fault}` : ''}.`;
    return new PetstoreNetworkError(message, { cause: error });
  }
}

/** Copies an error of ky without its request and response, which would fill a page of output. */
function withoutRequest({ name, message }: Error): Error {
  return Object.assign(new Error(message), { name });
}

/** Compares names without their case. */
function withOwnHeaders(headers: RequestOptions['headers'], own: Readonly<Record<string, string>> = {}): Headers {
  const all = new Headers({ ...userAgent, ...headers });
  for (const [name, value] of Object.entries(own)) all.set(name, value);
  return all;
}
