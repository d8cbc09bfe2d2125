import type { ErrorCode } from '@petstore/contracts';

/**
 * An error code of the API, or `unexpected_response` for a response that is not from the API, such as a proxy's page.
 * A newer service may have further codes.
 */
export type ApiErrorCode = ErrorCode | 'unexpected_response' | (string & Record<never, never>);

interface ApiErrorDetails {
  code: ApiErrorCode;
  message: string;
  status: number;
  requestId: string | undefined;
  retryAfter: number | undefined;
  cause: unknown;
}

/** The service returned an error, or the response is not from the API. */
export class PetstoreApiError extends Error {
  override readonly name = 'PetstoreApiError';
  readonly code: ApiErrorCode;
  /** The HTTP status. With `unexpected_response` it may be 2xx. */
  readonly status: number;
  /** The id of the request in the service's log. Quote it when you report an error. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next attempt, from `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor({ message, cause, ...details }: ApiErrorDetails) {
    super(message, { cause });
    this.code = details.code;
    this.status = details.status;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
  }
}

/** The connection failed or was lost, also in the last attempt. The service may or may not have processed the request. */
export class PetstoreNetworkError extends Error {
  override readonly name = 'PetstoreNetworkError';
}

/** The response did not arrive in time, also in the last attempt. The service may or may not have processed the request. */
export class PetstoreTimeoutError extends Error {
  override readonly name = 'PetstoreTimeoutError';
}

/**
 * 409 has one meaning: the idempotency key was in use, but its record was gone or expired. Cloudflare sends 520 to 524 and 530
 * as other proxies send 502 and 504.
 */
export const retriedStatuses = [409, 429, 502, 503, 504, 520, 521, 522, 523, 524, 530];

/**
 * Returns whether the same request can succeed later: the service did not answer, was busy, or limits the rate. The client has
 * already retried it as often as its options allow. Repeat a create with the same idempotency key.
 */
export function isTemporary(error: unknown): boolean {
  if (error instanceof PetstoreApiError) return retriedStatuses.includes(error.status);
  // A redirect has no cause, and is permanent.
  return error instanceof PetstoreTimeoutError || (error instanceof PetstoreNetworkError && error.cause !== undefined);
}

/** Why a `fetch` failed: the message of Node for the innermost cause. `undefined` in browsers, which hide it. */
export function connectionFault(error: unknown): string | undefined {
  let { cause } = error as Error;
  if (!(cause instanceof Error)) return undefined;
  while (cause instanceof Error && cause.cause instanceof Error) ({ cause } = cause);
  // The error of a host with several addresses has a code, but no message.
  const { message, code } = cause as Error & { code?: string };
  const isPlain = code === 'ERR_SSL_WRONG_VERSION_NUMBER';
  return isPlain ? 'the server does not use TLS, so the address begins with http://' : message || code;
}
