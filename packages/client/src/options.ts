/** What a client is made with. */
export interface PetstoreClientOptions {
  /** Where the API is: an absolute http or https URL that ends in `/v1`, with or without a slash behind it. */
  baseUrl: string | URL;
  /** Visible ASCII characters; sent as a bearer token with every request, and in no error and no URL. */
  apiKey: string;
  /** Instead of the global one, for instance one that goes through a proxy. */
  fetch?: typeof globalThis.fetch | undefined;
  /** How long an attempt may take until the last byte of its answer: 1 to 2147483647 ms; 10000 when omitted. */
  timeoutMs?: number | undefined;
  /** Attempts after the first one: 0 to 10; 2 when omitted. */
  retries?: number | undefined;
  /**
   * How long a wait that the service asks for may be: 0 to 2147483647 ms; 30000 when omitted. Beyond it there is no
   * further attempt: the error is thrown at once, with its `retryAfter`.
   */
  maxRetryAfterMs?: number | undefined;
}

/** What every operation takes. */
export interface RequestOptions {
  /** Ends the operation, its retries too: it then throws the reason of the signal, untouched. */
  signal?: AbortSignal | undefined;
}

export interface CheckedOptions {
  /** Ends in `/v1`. */
  baseUrl: URL;
  apiKey: string;
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  retries: number;
  maxRetryAfterMs: number;
}

// The longest that a timer of the platform can wait.
const longestTimerMs = 2 ** 31 - 1;

/** @throws TypeError which names the option and what is allowed; never its value, which could be a misplaced key. */
export function checkOptions({ baseUrl, apiKey, fetch, ...numbers }: PetstoreClientOptions): CheckedOptions {
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be a text of visible ASCII characters');
  }
  return {
    baseUrl: checkBaseUrl(String(baseUrl)),
    apiKey,
    fetch: fetch ?? ((...request) => globalThis.fetch(...request)),
    timeoutMs: checkInteger('timeoutMs', numbers.timeoutMs ?? 10_000, [1, longestTimerMs]),
    retries: checkInteger('retries', numbers.retries ?? 2, [0, 10]),
    maxRetryAfterMs: checkInteger('maxRetryAfterMs', numbers.maxRetryAfterMs ?? 30_000, [0, longestTimerMs]),
  };
}

function checkBaseUrl(text: string): URL {
  const url = parseUrl(text);
  const isPlain =
    url && ['http:', 'https:'].includes(url.protocol) && !(url.username + url.password + url.search + url.hash);
  if (!isPlain || !/\/v1\/?$/.test(url.pathname)) {
    throw new TypeError(
      'baseUrl must be an absolute http or https URL that ends in /v1, without user, query and fragment, such as http://localhost:3000/v1',
    );
  }
  url.pathname = url.pathname.replace(/\/$/, '');
  // A lone ? or # is in neither of them, and yet in what requests would be made of.
  url.search = '';
  url.hash = '';
  return url;
}

/** `URL.canParse` would say it shorter, but is missing in browsers that are still in use. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function checkInteger(name: string, value: number, [min, max]: [number, number]): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new TypeError(`${name} must be an integer from ${min} to ${max}`);
}
