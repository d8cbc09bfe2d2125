import { setTimeout as sleep } from 'node:timers/promises';

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Ctrl-C in a terminal reaches a process twice: from its process group and from npm. */
const sameRequestMs = 1000;

/**
 * The signals to stop this process. A second signal ends `delay`, or else the process, without a graceful shutdown.
 * Create it before anything starts: until then, a signal ends the process without a cleanup.
 */
export class StopRequests {
  /** Resolves at the first request. */
  readonly first: Promise<NodeJS.Signals>;
  private latest = 0;
  private resolveFirst: (signal: NodeJS.Signals) => void = () => undefined;
  private isStopping = false;
  private hasDelay = true;
  private endDelay: (() => void) | undefined;

  constructor() {
    this.first = new Promise((resolve) => {
      this.resolveFirst = resolve;
    });
    for (const signal of signals) process.on(signal, () => this.add(signal));
  }

  private begin(signal: NodeJS.Signals): void {
    this.isStopping = true;
    this.latest = performance.now();
    // A person who presses Ctrl-C waits for the end.
    this.hasDelay = signal !== 'SIGINT' || !process.stdout.isTTY;
    this.resolveFirst(signal);
  }

  /** Waits, unless a second request or Ctrl-C at a terminal skips the delay. */
  async delay(ms: number): Promise<void> {
    if (!this.hasDelay || ms === 0) return;
    const skipped = new Promise<void>((resolve) => {
      this.endDelay = resolve;
    });
    await Promise.race([skipped, sleep(ms)]);
    this.endDelay = undefined;
  }

  private add(signal: NodeJS.Signals): void {
    if (!this.isStopping) return this.begin(signal);
    const now = performance.now();
    if (now - this.latest < sameRequestMs) return;
    this.latest = now;
    if (this.endDelay) this.endDelay();
    else process.exit(1);
  }
}

/** Resolves at the first signal to stop. A later signal ends the process without a graceful shutdown. */
export function waitForStopSignal(): Promise<NodeJS.Signals> {
  return new StopRequests().first;
}
