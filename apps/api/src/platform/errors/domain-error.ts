import { type ErrorCode, errorTable } from '@petstore/contracts';

/** The rate limit that a request exceeded. */
export interface RateLimit {
  name: string;
  /** Requests per window. */
  quota: number;
  windowSeconds: number;
}

interface DomainErrorOptions extends ErrorOptions {
  /** Seconds after which the same request may succeed. */
  retryAfter?: number;
  rateLimit?: RateLimit;
}

/** An error with one of the contract's codes, and by default the message of the contract. Only the HTTP error filter knows its status and headers. */
export class DomainError extends Error {
  readonly retryAfter: number | undefined;
  readonly rateLimit: RateLimit | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string = errorTable[code].message,
    { retryAfter, rateLimit, ...options }: DomainErrorOptions = {},
  ) {
    super(message, options);
    this.name = new.target.name;
    this.retryAfter = retryAfter;
    this.rateLimit = rateLimit;
  }
}
