import type { Answer } from './connection.js';
import type { DataFolder } from './data-folder.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { type Postmaster, startPostmaster } from './postmaster.js';

const limitMs = 60_000;
const reportMs = 5_000;

/** The way of a PostgreSQL from not running to ready, one step after each try to connect. */
export class Start {
  readonly #begin = performance.now();
  readonly #folder: DataFolder;
  readonly #log: (message: string) => void;
  #postmaster: Postmaster | undefined;
  #reportAt = reportMs;

  constructor({ folder, log }: { folder: DataFolder; log: (message: string) => void }) {
    this.#folder = folder;
    this.#log = log;
  }

  /**
   * Does what a try that came to `answer` calls for.
   * @returns after how many milliseconds to try again.
   * @throws EmbeddedPostgresError when there is nothing more to try.
   */
  async goOn({ nobody, reason }: Exclude<Answer, { client: object }>): Promise<number> {
    const waited = performance.now() - this.#begin;
    const failure = await this.#postmaster?.failure();
    if (failure) {
      if (nobody && waited > failure.patienceMs) throw failure.error;
      this.#postmaster = undefined;
    }
    if (waited > limitMs) throw this.#notReady(reason);
    if (nobody) this.#postmaster ??= await startPostmaster(this.#folder);
    this.#report(waited, failure?.error.message ?? reason);
    // Quick for a usual start; slower when PostgreSQL has data to recover, or what is left of another one to wait for.
    return Math.min(Math.max(waited / 10, 10), 500);
  }

  async abandon(): Promise<void> {
    await this.#postmaster?.abandon();
  }

  #report(waited: number, reason: string): void {
    if (waited < this.#reportAt) return;
    this.#log(`PostgreSQL is getting ready (${this.#reportAt / 1_000} s): ${reason}`);
    this.#reportAt += reportMs;
  }

  #notReady(reason: string): EmbeddedPostgresError {
    return new EmbeddedPostgresError(
      `The embedded PostgreSQL in ${this.#folder.root} is not ready after ${limitMs / 1_000} s: ${reason}. It may still be ` +
        `recovering its data: leave it running and start again later. ${this.#folder.log} says what it does.`,
    );
  }
}
