import { Injectable } from '@nestjs/common';
import { databaseAway } from './errors/domain-error.js';

/** The current time. Tests replace this provider to set it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}

/**
 * Runs a task at an interval. Runs never overlap, and the timer does not keep the process alive.
 * @param onError Called for the first of consecutive failures.
 * @returns A function that stops the interval. It does not interrupt a run.
 */
export function repeat(everyMs: number, task: () => Promise<unknown>, onError: (error: unknown) => void): () => void {
  let isRunning = false;
  let hasFailed = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await task();
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) onError(error);
      hasFailed = true;
    } finally {
      isRunning = false;
    }
  };
  const timer = setInterval(() => void run(), everyMs).unref();
  return () => clearInterval(timer);
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
