import { type ErrorBody, type ErrorCode, errorTable } from '@petstore/contracts';

interface DomainErrorOptions extends ErrorOptions {
  /** Seconds after which the same request may succeed. */
  retryAfter?: number;
}

/** An error with one of the contract's codes, and by default the message of the contract. */
export class DomainError extends Error {
  readonly retryAfter: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string = errorTable[code].message,
    { retryAfter, ...options }: DomainErrorOptions = {},
  ) {
    super(message, options);
    this.name = new.target.name;
    this.retryAfter = retryAfter;
  }
}

export function toErrorBody({ code, message }: DomainError): ErrorBody {
  return { code, message, status: errorTable[code].status };
}

/** `cause` is logged. */
export function databaseAway(options: ErrorOptions = {}): DomainError {
  return new DomainError('service_unavailable', undefined, { ...options, retryAfter: 1 });
}

export function diskFull(): DomainError {
  const message = 'The disk of the database is full. Reads work. Creates work again when space is free.';
  return new DomainError('service_unavailable', message, { retryAfter: 5 });
}
