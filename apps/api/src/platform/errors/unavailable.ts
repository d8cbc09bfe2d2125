import { DomainError } from './domain-error.js';

/** `cause` is for the log. */
export function databaseAway(options: ErrorOptions = {}): DomainError {
  const message = 'The database does not answer right now; try again.';
  return new DomainError('service_unavailable', message, { ...options, retryAfter: 1 });
}

export function overloaded(): DomainError {
  const message = 'More requests came than can be served right now; try again.';
  return new DomainError('service_unavailable', message, { retryAfter: 1 });
}
