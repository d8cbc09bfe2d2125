import { DomainError } from './domain-error.js';

/** `cause` is logged. */
export function databaseAway(options: ErrorOptions = {}): DomainError {
  const message = 'The database is unavailable. Try again in 1 second.';
  return new DomainError('service_unavailable', message, { ...options, retryAfter: 1 });
}

export function overloaded(): DomainError {
  const message = 'The service is overloaded. Try again in 1 second.';
  return new DomainError('service_unavailable', message, { retryAfter: 1 });
}
