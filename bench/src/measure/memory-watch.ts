import { residentBytes } from '@petstore/processes/process-usage.js';

const everyMs = 200;

/** Looks at the memory of a process five times a second. */
export class MemoryWatch {
  readonly #samples: number[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(pid: number) {
    const look = () => this.#samples.push(residentBytes(pid));
    look();
    this.#timer = setInterval(look, everyMs);
  }

  /** Ends it; what was seen, in bytes and in order. */
  stop(): readonly number[] {
    clearInterval(this.#timer);
    return this.#samples;
  }
}
