import { residentBytes } from '@petstore/processes/process-usage.js';

const intervalMs = 200;

/** Samples the memory of a process five times a second. */
export class MemoryWatch {
  readonly #samples: number[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(pid: number) {
    const sample = () => this.#samples.push(residentBytes(pid));
    sample();
    this.#timer = setInterval(sample, intervalMs);
  }

  /** Stops sampling. Returns the samples in bytes, oldest first. */
  stop(): readonly number[] {
    clearInterval(this.#timer);
    return this.#samples;
  }
}
