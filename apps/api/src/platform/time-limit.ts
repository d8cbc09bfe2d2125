import { databaseAway } from './errors/domain-error.js';

/** The maximum time that a request waits for the database. Its 503 is sent within 5 s. */
export const databaseTimeoutMs = 4000;
/** The maximum time that a statement waits for a lock. A write that starts later could take effect after its 503. */
export const lockTimeoutMs = databaseTimeoutMs / 2;

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
