import { DomainError } from './domain-error.js';

/** `cause` is logged. */
export function databaseAway(options: ErrorOptions = {}): DomainError {
  return new DomainError('service_unavailable', undefined, { ...options, retryAfter: 1 });
}

export function overloaded(): DomainError {
  const message = 'The service is overloaded. Try again in 1 second.';
  return new DomainError('service_unavailable', message, { retryAfter: 1 });
}
