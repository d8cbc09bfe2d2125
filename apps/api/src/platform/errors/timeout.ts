import { databaseAway } from './unavailable.js';

/** How long a request waits for the database. Its 503 is sent within 5 s, other work included. */
export const databaseTimeoutMs = 4000;

/**
 * Rejects when the database does not respond in time. The timeouts of the connections are longer, and notice a server
 * that hangs too late.
 * @throws DomainError service_unavailable after `timeoutMs`. The work may still complete.
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
