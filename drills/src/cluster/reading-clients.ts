import { setTimeout as sleep } from 'node:timers/promises';
import type { PetstoreClient } from '@petstore/client';
import type { Tally } from '../tally.js';

const pauseMs = 50;

export interface Reading {
  readonly client: PetstoreClient;
  readonly readers: number;
  /** The id of the animal that was acknowledged last. */
  readonly newest: () => bigint | undefined;
  readonly tally: Tally;
}

/** Readers that look for the newest animal. Each read must find what was acknowledged before it. */
export class ReadingClients {
  reads = 0;
  longestGapMs = 0;
  #lastAt = performance.now();
  #isFinishing = false;
  readonly #running: Promise<void>[];

  constructor(private readonly options: Reading) {
    this.#running = Array.from({ length: options.readers }, () => this.#read());
  }

  async finish(): Promise<void> {
    this.#isFinishing = true;
    await Promise.all(this.#running);
  }

  async #read(): Promise<void> {
    while (!this.#isFinishing) {
      await sleep(pauseMs);
      const newest = this.options.newest();
      if (newest === undefined) continue;
      try {
        this.#count((await this.options.client.getPet(newest)) !== undefined);
      } catch {
        // The gap shows how long reads failed.
      }
    }
  }

  #count(isCurrent: boolean): void {
    const now = performance.now();
    this.options.tally.expect(isCurrent, 'a read did not find an acknowledged animal');
    this.reads += 1;
    this.longestGapMs = Math.max(this.longestGapMs, now - this.#lastAt);
    this.#lastAt = now;
  }
}
