import type { ErrorCode } from '@petstore/contracts';

/**
 * A code of the API, or `unexpected_answer` when the answer is none that the API gives, such as a proxy's page.
 * A service that is newer than the client may have further ones.
 */
export type ApiErrorCode = ErrorCode | 'unexpected_answer' | (string & Record<never, never>);

interface ApiErrorFacts {
  code: ApiErrorCode;
  message: string;
  status: number;
  requestId: string | undefined;
  retryAfter: number | undefined;
  cause: unknown;
}

/** The service answered with an error, or something else answered in its place. */
export class PetstoreApiError extends Error {
  override readonly name = 'PetstoreApiError';
  readonly code: ApiErrorCode;
  /** Of HTTP; 2xx with `unexpected_answer` when all but the body was as it should be. */
  readonly status: number;
  /** Under which the service logged the request: what to tell those who run it. */
  readonly requestId: string | undefined;
  /** How long the service asks to wait before the next attempt, in seconds. */
  readonly retryAfter: number | undefined;

  constructor({ message, cause, ...facts }: ApiErrorFacts) {
    super(message, { cause });
    this.code = facts.code;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
  }
}

/** The connection failed or was lost, at the last attempt too. Whether the service did what was asked is not known. */
export class PetstoreNetworkError extends Error {
  override readonly name = 'PetstoreNetworkError';
}

/** There was no answer in time, at the last attempt too. Whether the service did what was asked is not known. */
export class PetstoreTimeoutError extends Error {
  override readonly name = 'PetstoreTimeoutError';
}
