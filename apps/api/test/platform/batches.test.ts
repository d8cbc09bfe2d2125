import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Batches } from '../../src/platform/batches.js';

interface Run {
  items: readonly string[];
  /** Gives each item its result. */
  end(): void;
  fail(error: Error): void;
}

const timeoutMs = 300;
const harmless = new Error('bad item');
const unavailable = { code: 'service_unavailable', retryAfter: 1 };

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

/** The first turn of the event loop settles finished batches, the second starts waiting ones. */
async function nextTurn(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/** Creates batches whose runs the test ends. */
function start() {
  const runs: Run[] = [];
  const run = (items: readonly string[]): Promise<string[]> =>
    new Promise((resolve, reject) => {
      const end = (): void => resolve(items.map((item) => `${item} in run ${runs.indexOf(entry) + 1}`));
      const entry = { items, end, fail: reject };
      runs.push(entry);
    });
  const hadNoEffect = (error: unknown) => error === harmless;
  const batches = new Batches<string, string>({ concurrency: 1, maxSize: 10, timeoutMs, hadNoEffect, run });
  const results: Promise<string>[] = [];
  /** Submits the items, and lets the batches start. */
  const submit = async (...items: string[]) => {
    for (const item of items) {
      const result = batches.submit(item);
      result.catch(() => undefined);
      results.push(result);
    }
    await nextTurn();
  };
  const end = async (number: number) => {
    runs[number - 1]?.end();
    await nextTurn();
  };
  const fail = (error: Error) => runs[0]?.fail(error);
  return { submit, results, end, fail, itemsOf: () => runs.map(({ items }) => items) };
}

describe('Batches', () => {
  it('run the items of a rejected batch one after the other, within the place of the batch', async () => {
    const { submit, results, end, fail, itemsOf } = start();
    await submit('a', 'b');
    fail(harmless);
    await submit('c');
    for (const [index, items] of [['a'], ['b'], ['c']].entries()) {
      expect(itemsOf()).toHaveLength(index + 2);
      expect(itemsOf().at(-1)).toEqual(items);
      await end(index + 2);
    }
    expect(await Promise.all(results)).toEqual(['a in run 2', 'b in run 3', 'c in run 4']);
  });

  it('run no further item of a rejected batch after its timeout', async () => {
    const { submit, results, end, fail, itemsOf } = start();
    await submit('a', 'b', 'c');
    fail(harmless);
    await nextTurn();
    vi.advanceTimersByTime(timeoutMs);
    for (const result of results) await expect(result).rejects.toMatchObject(unavailable);
    await end(2);
    expect(itemsOf()).toEqual([['a', 'b', 'c'], ['a']]);
    await submit('d');
    expect(itemsOf().at(-1)).toEqual(['d']);
  });

  it('reject all items of a batch whose effect is unknown, and run the next batch', async () => {
    const { submit, results, fail, itemsOf } = start();
    await submit('a', 'b');
    fail(new Error('connection broken'));
    for (const result of results) await expect(result).rejects.toThrow('connection broken');
    await submit('c');
    expect(itemsOf()).toEqual([['a', 'b'], ['c']]);
  });
});
