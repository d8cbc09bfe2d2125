import { DomainError } from './domain-error.js';

/** `cause` is logged. */
export function databaseAway(options: ErrorOptions = {}): DomainError {
  return new DomainError('service_unavailable', undefined, { ...options, retryAfter: 1 });
}

export function overloaded(): DomainError {
  const message = 'The service is overloaded. Try again in 1 second.';
  return new DomainError('service_unavailable', message, { retryAfter: 1 });
}

export function stopping(): DomainError {
  return new DomainError('service_unavailable', 'The service is stopping. Try again in 1 second.', { retryAfter: 1 });
}

/** The maximum time that a request waits for the database. Its 503 is sent within 5 s. */
export const databaseTimeoutMs = 4000;

/**
 * Rejects if `work` has not settled after `timeoutMs`. The work continues, and may still take effect.
 * @throws DomainError service_unavailable
 */
export async function withTimeout<Result>(work: Promise<Result>, timeoutMs = databaseTimeoutMs): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(databaseAway()), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
