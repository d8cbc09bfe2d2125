import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { now } from '../src/clock.js';

describe('the clock of the drills', () => {
  it('advances while the process waits', async () => {
    const begin = now();
    await expect.poll(() => now() - begin, { timeout: 20_000 }).toBeGreaterThanOrEqual(100);
  });

  it('stops while the process is blocked', async () => {
    const begin = now();
    block(1000);
    expect(now() - begin).toBeLessThan(500);
    // The timer that measures the blocked time has run.
    await sleep(50);
    expect(now() - begin).toBeLessThan(500);
  });
});

/** Blocks the event loop. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
