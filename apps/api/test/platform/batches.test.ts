import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type BatchOptions, Batches } from '../../src/platform/batches.js';

interface Run {
  items: readonly string[];
  /** Gives each item its result. */
  end(): void;
  fail(error: Error): void;
}

/** The first turn of the event loop settles finished batches, the second starts waiting ones. */
async function nextTurn(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

afterEach(() => vi.useRealTimers());

/** Creates batches whose runs the test ends. */
function start(options: Partial<BatchOptions<string, string>> = {}) {
  const runs: Run[] = [];
  const run = (items: readonly string[]): Promise<string[]> =>
    new Promise((resolve, reject) => {
      const end = (): void => resolve(items.map((item) => `${item} in run ${runs.indexOf(entry) + 1}`));
      const entry = { items, end, fail: reject };
      runs.push(entry);
    });
  const defaults = { concurrency: 1, maxSize: 10, timeoutMs: 60_000, hadNoEffect: () => false };
  return { runs, batches: new Batches<string, string>({ ...defaults, run, ...options }) };
}

describe('Batches', () => {
  it('start a single item in the same turn of the event loop', async () => {
    const { runs, batches } = start();
    const result = batches.submit('a');
    await setImmediate();
    expect(runs.map(({ items }) => items)).toEqual([['a']]);
    runs[0]?.end();
    expect(await result).toBe('a in run 1');
  });

  it('collect the items that arrive while a batch runs into the next one', async () => {
    const { runs, batches } = start();
    const first = batches.submit('a');
    await nextTurn();
    const others = ['b', 'c'].map((item) => batches.submit(item));
    await nextTurn();
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await first;
    await nextTurn();
    expect(runs[1]?.items).toEqual(['b', 'c']);
    runs[1]?.end();
    expect(await Promise.all(others)).toEqual(['b in run 2', 'c in run 2']);
  });

  it('share an item between equal requests only until its batch starts', async () => {
    const { runs, batches } = start({ keyOf: (item) => item });
    const running = batches.submit('a');
    await nextTurn();
    const late = [batches.submit('a'), batches.submit('a')];
    runs[0]?.end();
    expect(await running).toBe('a in run 1');
    await nextTurn();
    expect(runs[1]?.items).toEqual(['a']);
    runs[1]?.end();
    expect(await Promise.all(late)).toEqual(['a in run 2', 'a in run 2']);
  });

  it('limit the number of running batches and the items in each', async () => {
    const { runs, batches } = start({ concurrency: 2, maxSize: 2 });
    const results = ['a', 'b', 'c', 'd', 'e'].map((item) => batches.submit(item));
    await nextTurn();
    expect(runs.map(({ items }) => items)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    for (const run of runs) run.end();
    await Promise.all(results.slice(0, 4));
    await nextTurn();
    expect(runs[2]?.items).toEqual(['e']);
    runs[2]?.end();
    await results[4];
  });

  it('run the items of a rejected batch one by one, so that each gets its own error', async () => {
    const bad = new Error('bad item');
    const runs: (readonly string[])[] = [];
    const batches = new Batches<string, string>({
      concurrency: 1,
      maxSize: 10,
      timeoutMs: 60_000,
      hadNoEffect: (error) => error === bad,
      run: (items) => {
        runs.push(items);
        return items.includes('bad') ? Promise.reject(bad) : Promise.resolve([...items]);
      },
    });
    const results = await Promise.allSettled(['a', 'bad', 'c'].map((item) => batches.submit(item)));
    expect(results).toEqual([
      { status: 'fulfilled', value: 'a' },
      { status: 'rejected', reason: bad },
      { status: 'fulfilled', value: 'c' },
    ]);
    expect(runs).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
  });

  it('reject all items of a batch whose effect is unknown, and run the next batch', async () => {
    const { runs, batches } = start();
    const failed = [batches.submit('a'), batches.submit('b')];
    await nextTurn();
    runs[0]?.fail(new Error('connection broken'));
    expect((await Promise.allSettled(failed)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(runs).toHaveLength(1);
    const next = batches.submit('c');
    await nextTurn();
    runs[1]?.end();
    expect(await next).toBe('c in run 2');
  });

  it('reject each request after its own timeout', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const pass = async (ms: number): Promise<void> => {
      await nextTurn();
      vi.advanceTimersByTime(ms);
      await nextTurn();
    };
    const { runs, batches } = start({ concurrency: 3, timeoutMs: 300 });
    const turnedAway: string[] = [];
    const submit = async (item: string): Promise<void> => {
      await batches.submit(item).catch(() => turnedAway.push(item));
    };
    const answered = submit('answered');
    await pass(150);
    runs[0]?.end();
    await answered;
    void submit('early');
    await pass(200);
    void submit('late');
    await pass(99);
    expect(turnedAway).toEqual([]);
    await pass(1);
    expect(turnedAway).toEqual(['early']);
    await pass(200);
    expect(turnedAway).toEqual(['early', 'late']);
  });

  it('reject waiting requests after the timeout, and new ones while every running batch has timed out', async () => {
    const { runs, batches } = start({ timeoutMs: 20 });
    const early = batches.submit('a');
    await nextTurn();
    const waiting = batches.submit('b');
    const unavailable = { code: 'service_unavailable', retryAfter: 1 };
    await expect(early).rejects.toMatchObject(unavailable);
    await expect(waiting).rejects.toMatchObject(unavailable);
    await expect(batches.submit('c')).rejects.toMatchObject(unavailable);
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await nextTurn();
    const next = batches.submit('d');
    await nextTurn();
    runs[1]?.end();
    expect(await next).toBe('d in run 2');
  });
});
