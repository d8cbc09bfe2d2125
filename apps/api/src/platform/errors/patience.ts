import { databaseAway } from './unavailable.js';

/** How long a request waits for the database: with what comes on top, its 503 is there within 5 s. */
export const patienceMs = 4000;

/**
 * The result of what waits for the database, unless that takes too long: a server that has stopped answering, but has
 * not gone, would else be noticed only by the longer limits of its connections.
 * @throws DomainError service_unavailable after `ms`; whether the work is done in the end is not known.
 */
export async function withPatience<Result>(work: Promise<Result>, ms = patienceMs): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(databaseAway()), ms);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
