import { removeBearer } from '@petstore/contracts';
import type { Attempt, Wait } from './attempt.js';

/** The options of a client. */
export interface PetstoreClientOptions {
  /** The URL of the API: absolute, http or https, ends in `/v1` or `/v1/`. */
  baseUrl: string | URL;
  /** Visible ASCII characters. Sent as a bearer token with every request; never part of an error or URL. */
  apiKey: string;
  /** Replaces the global `fetch`, for example with one that uses a proxy. */
  fetch?: typeof globalThis.fetch | undefined;
  /** The time limit of an attempt until the last byte of its response, 1 to 2147483647 ms. Default: 10000. */
  timeoutMs?: number | undefined;
  /** The maximum number of retries, 0 to 10. Default: 2. */
  retries?: number | undefined;
  /**
   * The maximum `Retry-After` that the client waits for, 0 to 2147483647 ms. Default: 30000. If the service requests more,
   * the client does not retry and throws the error immediately, with its `retryAfter`.
   */
  maxRetryAfterMs?: number | undefined;
  /** Called after each attempt, for example to log requests and retries. Its errors are logged with `console.error`. */
  onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** Called before the client waits for a `Retry-After`, for example to show that a rate limit delays an operation. */
  onWait?: ((wait: Wait) => void) | undefined;
}

/** The options of every operation. */
export interface RequestOptions {
  /** Aborts the operation and its retries. It then throws the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** Replaces the client's `timeoutMs` for this operation. */
  timeoutMs?: number | undefined;
  /**
   * Further headers, for example of a proxy, or `X-Request-Id`: the id of the request in the service's log. The client's own
   * headers replace those with the same name.
   */
  headers?: Readonly<Record<string, string>> | undefined;
}

// A new option does not compile until it is here.
export const requestOptionNames: Record<keyof RequestOptions, true> = {
  signal: true,
  timeoutMs: true,
  headers: true,
};

/** Valid options of a client, with the defaults. */
export type CheckedOptions = {
  [Name in keyof PetstoreClientOptions]-?: NonNullable<PetstoreClientOptions[Name]>;
} & { baseUrl: URL };

/**
 * Rejects options that do not exist: a misspelled filter would list everything.
 * @throws TypeError with the names that exist.
 */
export function checkOptionNames(options: object, known: Readonly<Record<string, true>>, owner: string): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  throw new TypeError(`\`${unknown}\` is not an option of ${owner}. Options: ${Object.keys(known).join(', ')}.`);
}

// The maximum delay of a JavaScript timer.
const maxTimerMs = 2 ** 31 - 1;

/** @throws TypeError with the option and what is allowed. It never contains the value, which may be a misplaced key. */
export function checkOptions(options: PetstoreClientOptions): CheckedOptions {
  const { baseUrl, apiKey, fetch, onAttempt, onWait, ...numbers } = options;
  const key = removeBearer(apiKey ?? '');
  if (key === '') {
    throw new TypeError('`apiKey` is missing. Pass the API key of the service, for example of PETSTORE_API_KEY.');
  }
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('`apiKey` must be a string of visible ASCII characters.');
  return {
    baseUrl: checkBaseUrl(String(baseUrl)),
    apiKey: key,
    fetch: fetch ?? ((...request) => globalThis.fetch(...request)),
    timeoutMs: checkTimeout(numbers.timeoutMs ?? 10_000),
    retries: checkInteger('retries', numbers.retries ?? 2, [0, 10]),
    maxRetryAfterMs: checkInteger('maxRetryAfterMs', numbers.maxRetryAfterMs ?? 30_000, [0, maxTimerMs]),
    onAttempt: onAttempt ?? (() => undefined),
    onWait: onWait ?? (() => undefined),
  };
}

/** @throws TypeError */
export function checkTimeout(timeoutMs: number): number {
  return checkInteger('timeoutMs', timeoutMs, [1, maxTimerMs]);
}

function checkInteger(name: string, value: number, [min, max]: [number, number]): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new TypeError(`\`${name}\` must be an integer from ${min} to ${max}.`);
}

/** @throws TypeError with what is allowed, without the value, which may be a misplaced key. */
function checkBaseUrl(text: string): URL {
  if (/^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?\/v1\/?$/.test(text)) return new URL(text.replace(/\/$/, ''));
  throw new TypeError(
    '`baseUrl` must be an absolute http or https URL that ends in /v1, without user, query and fragment, such as http://localhost:3000/v1.',
  );
}
