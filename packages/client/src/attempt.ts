/** One request of an operation to the service, without the API key and the body. */
export interface Attempt {
  method: string;
  url: string;
  /** Counts the attempts of the operation from 1. Higher numbers are retries. */
  number: number;
  /** The time until the last byte of the response, or until the failure, in milliseconds. */
  durationMs: number;
  /** The HTTP status. `undefined` if no complete response arrived. */
  status: number | undefined;
  /** The id of the request in the service's log. */
  requestId: string | undefined;
  /** Why no complete response arrived. An `AbortError` is a timeout or your signal. */
  error: unknown;
}

/** A wait before a retry, because the service asked for it with `Retry-After`. */
export interface Wait {
  /** The value of `Retry-After`, from 0 on. */
  seconds: number;
  /** The HTTP status: 429 is the rate limit. */
  status: number;
}

/** An error of a callback is logged, and does not change the outcome of the operation. */
export function callSafely(name: string, callback: () => unknown): void {
  void Promise.resolve()
    .then(callback)
    .catch((error: unknown) => console.error(`The callback ${name} of PetstoreClient failed:`, error));
}

/** Makes an attempt and passes its outcome to `onAttempt`. */
export async function observeAttempt(
  { method, url }: Request,
  { number, onAttempt, send }: { number: number; onAttempt: (attempt: Attempt) => void; send: () => Promise<Response> },
): Promise<Response> {
  const begin = performance.now();
  const report = (status?: number, requestId?: string | null, error?: unknown) => {
    const durationMs = performance.now() - begin;
    const attempt = { method, url, number, durationMs, status, requestId: requestId ?? undefined, error };
    callSafely('onAttempt', () => onAttempt(attempt));
  };
  try {
    const response = await send();
    report(response.status, response.headers.get('x-request-id'));
    return response;
  } catch (error) {
    report(undefined, undefined, error);
    throw error;
  }
}
