import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { now } from '../src/clock.js';

describe('the clock of the drills', () => {
  it('goes on while the process waits', async () => {
    const begin = now();
    while (now() - begin < 100) await sleep(5);
  });

  it('stands still while the process does', async () => {
    const begin = now();
    stop(1000);
    expect(now() - begin).toBeLessThan(500);
    await sleep(50);
    expect(now() - begin).toBeLessThan(500);
  });
});

/** Nothing else of the process runs meanwhile. */
function stop(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
