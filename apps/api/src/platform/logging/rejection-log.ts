import type { Logger } from 'pino';

const intervalMs = 1000;

/** Logs rejected requests at most once per second, with their number: under overload there are thousands. */
export class RejectionLog {
  private rejected = 0;
  private nextAt = 0;

  constructor(private readonly logger: Logger) {}

  add(reason: string): void {
    this.rejected += 1;
    const now = performance.now();
    if (now < this.nextAt) return;
    this.logger.warn({ rejected: this.rejected }, reason);
    this.rejected = 0;
    this.nextAt = now + intervalMs;
  }
}
