import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PetstoreApiError, PetstoreClient, type PetstoreClientOptions, type Wait } from '../src/index.js';
import { failureOf } from './support/clients.js';

// Fake timers make the tests independent of the machine's speed.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Returns the waits before the retries, what `onWait` received, and the final error, if every response has these headers. */
async function waitsAfter(headers: Record<string, string>, options: Partial<PetstoreClientOptions> = {}) {
  const times: number[] = [];
  const announced: Wait[] = [];
  const fetch = async () => {
    times.push(Date.now());
    return new Response(null, { status: 429, headers });
  };
  const onWait = (wait: Wait) => announced.push(wait);
  const valid = { baseUrl: 'http://localhost/v1', apiKey: 'psk_secret' };
  const failure = failureOf(new PetstoreClient({ ...valid, fetch, onWait, ...options }).listPets().page());
  await vi.runAllTimersAsync();
  const error = await failure;
  if (!(error instanceof PetstoreApiError)) throw error;
  const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  return { waits, announced, retryAfter: error.retryAfter };
}

describe('the wait before a retry', () => {
  it.each([
    ['at most', 1, [300, 600, 1200, 2400, 4800, 5000, 5000]],
    ['halfway', 0.5, [150, 300, 600, 1200, 2400, 2500, 2500]],
    ['at least', 0, [0, 0, 0, 0, 0, 0, 0]],
  ])('is random and grows up to 5 s: %s', async (_, random, expected) => {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    expect((await waitsAfter({}, { retries: 7 })).waits).toEqual(expected);
  });

  it.each<[string, () => string, number, Partial<PetstoreClientOptions>]>([
    ['seconds', () => '7', 7, {}],
    ['a date', () => new Date(Date.now() + 2000).toUTCString(), 2, { retries: 1 }],
    ['up to maxRetryAfterMs', () => '1', 1, { maxRetryAfterMs: 1000 }],
  ])('is Retry-After, which onWait receives: %s', async (_, value, seconds, options) => {
    vi.setSystemTime(1_800_000_000_000);
    const { waits, announced, retryAfter } = await waitsAfter({ 'retry-after': value() }, options);
    const expected = Array.from({ length: options.retries ?? 2 }, () => seconds);
    expect(waits).toEqual(expected.map((one) => one * 1000));
    expect(announced).toEqual(expected.map((one) => ({ seconds: one, status: 429 })));
    // A date has passed.
    expect(retryAfter).toBe(options.retries === 1 ? 0 : seconds);
  });

  it.each([
    ['30 s', '31', {}],
    ['maxRetryAfterMs', '2', { maxRetryAfterMs: 1999 }],
    ['0 s', '1', { maxRetryAfterMs: 0 }],
  ])('is none for a Retry-After of more than %s: the error is thrown immediately', async (_, seconds, options) => {
    const result = await waitsAfter({ 'retry-after': seconds }, options);
    expect(result).toEqual({ waits: [], announced: [], retryAfter: Number(seconds) });
  });

  it.each([
    ['retry-after', 'soon'],
    ['retry-after', '1.5'],
    ['retry-after', 'Nev, er'],
    ['ratelimit-reset', '57'],
  ])('ignores the header "%s: %s"', async (name, value) => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const result = await waitsAfter({ [name]: value });
    expect(result).toEqual({ waits: [150, 300], announced: [], retryAfter: undefined });
  });
});
