import type { Logger } from 'pino';

const everyMs = 1000;

/** Says once a second, and not for each request, that requests are turned away: under overload there are thousands. */
export class RefusalLog {
  private refused = 0;
  private nextAt = 0;

  constructor(private readonly logger: Logger) {}

  add(reason: string): void {
    this.refused += 1;
    const now = performance.now();
    if (now < this.nextAt) return;
    this.logger.warn({ refused: this.refused }, reason);
    this.refused = 0;
    this.nextAt = now + everyMs;
  }
}
