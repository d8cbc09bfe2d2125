import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PetstoreApiError, PetstoreClient } from '../src/index.js';
import { failureOf } from './support/clients.js';

// Fake timers make the tests independent of the machine's speed.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Returns the waits before the retries and the final error, if every response has these headers. */
async function waitsAfter(headers: Record<string, string>, retries = 2) {
  const times: number[] = [];
  const fetch = async () => {
    times.push(Date.now());
    return new Response(null, { status: 502, headers });
  };
  const client = new PetstoreClient({ baseUrl: 'http://localhost/v1', apiKey: 'psk_secret', fetch, retries });
  const failure = failureOf(client.listPets().page());
  await vi.runAllTimersAsync();
  const error = await failure;
  if (!(error instanceof PetstoreApiError)) throw error;
  return { waits: times.slice(1).map((time, index) => time - (times[index] ?? 0)), error };
}

describe('the wait before a retry', () => {
  it.each([
    ['at most', 1, [300, 600, 1200, 2400, 4800, 5000, 5000]],
    ['halfway', 0.5, [150, 300, 600, 1200, 2400, 2500, 2500]],
    ['at least', 0, [0, 0, 0, 0, 0, 0, 0]],
  ])('is random and grows up to 5 s: %s', async (_, random, expected) => {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    expect((await waitsAfter({}, 7)).waits).toEqual(expected);
  });

  it('is Retry-After if the response has it', async () => {
    const { waits, error } = await waitsAfter({ 'retry-after': '7' });
    expect([waits, error.retryAfter]).toEqual([[7000, 7000], 7]);
  });

  it.each([
    ['retry-after', 'soon'],
    ['retry-after', '1.5'],
    ['retry-after', '-1'],
    ['retry-after', '20 s'],
    ['retry-after', 'Nev, er'],
    ['ratelimit-reset', '57'],
    ['x-ratelimit-retry-after', '57'],
    ['x-ratelimit-reset', '57'],
    ['x-rate-limit-reset', '57'],
  ])('ignores the header "%s: %s"', async (name, value) => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const { waits, error } = await waitsAfter({ [name]: value });
    expect([waits, error.retryAfter]).toEqual([[150, 300], undefined]);
  });
});
