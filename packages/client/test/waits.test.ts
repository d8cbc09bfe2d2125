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

  it.each([
    ['seconds', () => '7'],
    ['a date', () => new Date(Date.now() + 7000).toUTCString()],
  ])('is Retry-After if the response has it: %s', async (_, value) => {
    vi.setSystemTime(0);
    expect((await waitsAfter({ 'retry-after': value() }, 1)).waits).toEqual([7000]);
  });

  it.each([
    ['retry-after', 'soon'],
    ['retry-after', '-1'],
    ['x-ratelimit-reset', '57'],
  ])('ignores the header "%s: %s"', async (name, value) => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const { waits, error } = await waitsAfter({ [name]: value });
    expect([waits, error.retryAfter]).toEqual([[150, 300], undefined]);
  });
});
