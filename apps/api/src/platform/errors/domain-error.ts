import type { ErrorCode } from '@petstore/contracts';

/** A limit that was hit. */
export interface RateLimit {
  name: string;
  /** Requests in a window. */
  quota: number;
  windowSeconds: number;
}

interface DomainErrorOptions extends ErrorOptions {
  /** Seconds after which the same request may succeed. */
  retryAfter?: number;
  rateLimit?: RateLimit;
}

/** What went wrong, by the contract's code. Only the HTTP error filter knows which status and headers that makes. */
export class DomainError extends Error {
  readonly retryAfter: number | undefined;
  readonly rateLimit: RateLimit | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { retryAfter, rateLimit, ...options }: DomainErrorOptions = {},
  ) {
    super(message, options);
    this.name = new.target.name;
    this.retryAfter = retryAfter;
    this.rateLimit = rateLimit;
  }
}
