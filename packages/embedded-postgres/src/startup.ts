import type { Attempt } from './connection.js';
import type { DataDirectory } from './data-directory.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { type Postmaster, startPostmaster } from './postmaster.js';

const limitMs = 60_000;
const reportMs = 5_000;

/** Starts PostgreSQL step by step, one step after each failed attempt to connect. */
export class Startup {
  readonly #begin = performance.now();
  #postmaster: Postmaster | undefined;
  #reportAt = reportMs;

  constructor(private readonly options: { directory: DataDirectory; log: (message: string) => void }) {}

  /**
   * @returns the milliseconds until the next attempt.
   * @throws EmbeddedPostgresError when PostgreSQL cannot start.
   */
  async advance({ isDown, reason }: Exclude<Attempt, { client: object }>): Promise<number> {
    const waited = performance.now() - this.#begin;
    const failure = await this.#postmaster?.failure();
    if (failure) {
      if (isDown && waited > failure.retryMs) throw failure.error;
      this.#postmaster = undefined;
    }
    if (waited > limitMs) throw this.#notReady(reason);
    if (isDown) this.#postmaster ??= await startPostmaster(this.options.directory);
    this.#report(waited, failure?.error.message ?? reason);
    // A normal start is quick. Crash recovery, or waiting for another process to end, takes longer.
    return Math.min(Math.max(waited / 10, 10), 500);
  }

  async abort(): Promise<void> {
    await this.#postmaster?.abort();
  }

  #report(waited: number, reason: string): void {
    if (waited < this.#reportAt) return;
    this.options.log(`PostgreSQL is starting (${this.#reportAt / 1_000} s): ${reason}`);
    this.#reportAt += reportMs;
  }

  #notReady(reason: string): EmbeddedPostgresError {
    const { root, log } = this.options.directory;
    return new EmbeddedPostgresError(
      `The embedded PostgreSQL in ${root} is not ready after ${limitMs / 1_000} s: ${reason}. It may still be recovering ` +
        `its data: leave it running and restart the service later. Its log is ${log}.`,
    );
  }
}
