import type { Attempt } from './attempt.js';
import { checkBaseUrl } from './base-url.js';
import { checkOptionNames } from './option-names.js';

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
  /** Called after each attempt, for example to log requests and retries. It must not throw. */
  onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/** The options of every operation. */
export interface RequestOptions {
  /** Aborts the operation and its retries. It then throws the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** Replaces the client's `timeoutMs` for this operation. */
  timeoutMs?: number | undefined;
}

// A new option does not compile until it is here.
const clientOptionNames: Record<keyof PetstoreClientOptions, true> = {
  baseUrl: true,
  apiKey: true,
  fetch: true,
  timeoutMs: true,
  retries: true,
  maxRetryAfterMs: true,
  onAttempt: true,
};
export const requestOptionNames: Record<keyof RequestOptions, true> = { signal: true, timeoutMs: true };

export interface CheckedOptions {
  /** Ends in `/v1`. */
  baseUrl: URL;
  apiKey: string;
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  retries: number;
  maxRetryAfterMs: number;
  onAttempt: (attempt: Attempt) => void;
}

// The maximum delay of a JavaScript timer.
const maxTimerMs = 2 ** 31 - 1;

/** @throws TypeError with the option and what is allowed. It never contains the value, which may be a misplaced key. */
export function checkOptions(options: PetstoreClientOptions): CheckedOptions {
  checkOptionNames(options, clientOptionNames, 'PetstoreClient');
  const { baseUrl, apiKey, fetch, onAttempt, ...numbers } = options;
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError('`apiKey` must be a string of visible ASCII characters.');
  }
  return {
    baseUrl: checkBaseUrl(String(baseUrl)),
    apiKey,
    fetch: fetch ?? ((...request) => globalThis.fetch(...request)),
    timeoutMs: checkTimeout(numbers.timeoutMs ?? 10_000),
    retries: checkInteger('retries', numbers.retries ?? 2, [0, 10]),
    maxRetryAfterMs: checkInteger('maxRetryAfterMs', numbers.maxRetryAfterMs ?? 30_000, [0, maxTimerMs]),
    onAttempt: onAttempt ?? (() => undefined),
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
