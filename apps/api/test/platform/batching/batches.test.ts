import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type BatchOptions, Batches } from '../../../src/platform/batching/batches.js';

interface Run {
  items: readonly string[];
  /** Gives each item its result. */
  end(): void;
  fail(error: Error): void;
}

/** The first round settles what has ended, the next begins what waits. */
async function nextRound(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

afterEach(() => vi.useRealTimers());

/** Batches whose runs the test ends by hand. */
function start(options: Partial<BatchOptions<string, string>> = {}) {
  const runs: Run[] = [];
  const run = (items: readonly string[]): Promise<string[]> =>
    new Promise((resolve, reject) => {
      const end = (): void => resolve(items.map((item) => `${item} in run ${runs.indexOf(entry) + 1}`));
      const entry = { items, end, fail: reject };
      runs.push(entry);
    });
  const bounds = { concurrency: 1, size: 10, waiting: 10, patienceMs: 60_000, hadNoEffect: () => false };
  return { runs, batches: new Batches<string, string>({ ...bounds, run, ...options }) };
}

describe('Batches', () => {
  it('begin with a lone item in the same round of the event loop', async () => {
    const { runs, batches } = start();
    const result = batches.submit('a');
    await setImmediate();
    expect(runs.map(({ items }) => items)).toEqual([['a']]);
    runs[0]?.end();
    expect(await result).toBe('a in run 1');
  });

  it('begin at once for who was alone the last time, and wait for others again once there were some', async () => {
    const { runs, batches } = start({ concurrency: 2 });
    const submit = (item: string): string => {
      void batches.submit(item);
      return `${runs.length} begun`;
    };
    expect(submit('a')).toBe('0 begun');
    await nextRound();
    runs[0]?.end();
    await nextRound();
    expect(submit('b')).toBe('2 begun');
    expect([submit('c'), submit('d')]).toEqual(['2 begun', '2 begun']);
    await nextRound();
    expect(runs[2]?.items).toEqual(['c', 'd']);
    for (const run of runs) run.end();
    await nextRound();
    expect(submit('e')).toBe('3 begun');
  });

  it('let all that arrives while one is under way go together in the next', async () => {
    const { runs, batches } = start();
    const first = batches.submit('a');
    await nextRound();
    const others = ['b', 'c'].map((item) => batches.submit(item));
    await nextRound();
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await first;
    await nextRound();
    expect(runs[1]?.items).toEqual(['b', 'c']);
    runs[1]?.end();
    expect(await Promise.all(others)).toEqual(['b in run 2', 'c in run 2']);
  });

  it('share what has not begun among those who ask for the same, and never what has', async () => {
    const { runs, batches } = start({ keyOf: (item) => item });
    const running = batches.submit('a');
    await nextRound();
    const late = [batches.submit('a'), batches.submit('a')];
    runs[0]?.end();
    expect(await running).toBe('a in run 1');
    await nextRound();
    expect(runs[1]?.items).toEqual(['a']);
    runs[1]?.end();
    expect(await Promise.all(late)).toEqual(['a in run 2', 'a in run 2']);
  });

  it('run at most as many at once, and each with at most as many items, as they are told', async () => {
    const { runs, batches } = start({ concurrency: 2, size: 2 });
    const results = ['a', 'b', 'c', 'd', 'e'].map((item) => batches.submit(item));
    await nextRound();
    expect(runs.map(({ items }) => items)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    for (const run of runs) run.end();
    await Promise.all(results.slice(0, 4));
    await nextRound();
    expect(runs[2]?.items).toEqual(['e']);
    runs[2]?.end();
    await results[4];
  });

  it('turn away who comes when too many wait, and take the next when they have gone', async () => {
    const { runs, batches } = start({ waiting: 2 });
    const running = batches.submit('a');
    await nextRound();
    const waiting = [batches.submit('b'), batches.submit('c')];
    await expect(batches.submit('d')).rejects.toMatchObject({ code: 'service_unavailable', retryAfter: 1 });
    runs[0]?.end();
    await running;
    await nextRound();
    runs[1]?.end();
    await Promise.all(waiting);
    const next = batches.submit('e');
    await nextRound();
    runs[2]?.end();
    expect(await next).toBe('e in run 3');
  });

  it('count those who share as waiting too', async () => {
    const { runs, batches } = start({ waiting: 2, keyOf: (item) => item });
    const running = batches.submit('a');
    await nextRound();
    const shared = [batches.submit('b'), batches.submit('b')];
    await expect(batches.submit('b')).rejects.toMatchObject({ code: 'service_unavailable' });
    runs[0]?.end();
    await running;
    await nextRound();
    runs[1]?.end();
    await Promise.all(shared);
  });

  it('try the items of a batch that was refused one by one, so that each has its own error', async () => {
    const bad = new Error('bad item');
    const runs: (readonly string[])[] = [];
    const batches = new Batches<string, string>({
      concurrency: 1,
      size: 10,
      waiting: 10,
      patienceMs: 60_000,
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

  it('fail all items of a batch of which nobody knows what it did, and go on with the next', async () => {
    const { runs, batches } = start();
    const failed = [batches.submit('a'), batches.submit('b')];
    await nextRound();
    runs[0]?.fail(new Error('connection broken'));
    expect((await Promise.allSettled(failed)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(runs).toHaveLength(1);
    const next = batches.submit('c');
    await nextRound();
    runs[1]?.end();
    expect(await next).toBe('c in run 2');
  });

  it('turn away each when its own time is up', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const pass = async (ms: number): Promise<void> => {
      await nextRound();
      vi.advanceTimersByTime(ms);
      await nextRound();
    };
    const { runs, batches } = start({ concurrency: 3, patienceMs: 300 });
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

  it('turn away who has waited too long, and who comes while nothing comes back', async () => {
    const { runs, batches } = start({ patienceMs: 20 });
    const early = batches.submit('a');
    await nextRound();
    const waiting = batches.submit('b');
    const unavailable = { code: 'service_unavailable', retryAfter: 1 };
    await expect(early).rejects.toMatchObject(unavailable);
    await expect(waiting).rejects.toMatchObject(unavailable);
    await expect(batches.submit('c')).rejects.toMatchObject(unavailable);
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await nextRound();
    const next = batches.submit('d');
    await nextRound();
    runs[1]?.end();
    expect(await next).toBe('d in run 2');
  });
});
