import { hash, randomBytes } from 'node:crypto';

const windowMs = 60_000;
const counters = 262_144;

/**
 * Counts failures per address and minute in 1 MiB, however many addresses there are. Addresses share counters by a secret
 * hash: a flood of addresses can bring a wrong key its 429 earlier, and gives no address more attempts.
 */
export class FailureLimiter {
  private readonly secret = randomBytes(16).toString('base64');
  private counts = new Uint32Array(counters);
  private windowEndsAt = 0;

  constructor(readonly quota: number) {}

  /** Returns after how many seconds the address may fail again; `undefined` while it is within its quota. */
  add(address: string): number | undefined {
    const now = performance.now();
    if (now >= this.windowEndsAt) {
      this.counts = new Uint32Array(counters);
      this.windowEndsAt = now + windowMs;
    }
    const index = hash('sha256', this.secret + address, 'buffer').readUInt32LE() % counters;
    const count = this.counts[index] ?? 0;
    if (count >= this.quota) return Math.max(1, Math.ceil((this.windowEndsAt - now) / 1000));
    this.counts[index] = count + 1;
    return undefined;
  }
}
