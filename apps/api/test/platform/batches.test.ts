import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type PageQuery, PetListRepository } from '../../src/features/pets/pet-list.repository.js';
import { PetsRepository } from '../../src/features/pets/pets.repository.js';
import { Batches } from '../../src/platform/batches.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';

/** The first turn of the event loop settles finished batches, the second starts waiting ones. */
async function nextTurn(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

it('after its timeout, a rejected item does not run, neither alone nor in a later batch: a request that got 503 has no effect later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const ends: (() => void)[] = [];
  const run = vi.fn((items: readonly string[]): Promise<readonly string[]> => {
    if (items.length > 1) return Promise.reject(new Error('one of the items is bad'));
    return new Promise((resolve) => {
      ends.push(() => resolve(items));
    });
  });
  const limits = { concurrency: 1, maxSize: 10, timeoutMs: 300 };
  const batches = new Batches<string, string>({ ...limits, hadNoEffect: () => true, run });
  const together = ['a', 'b', 'c'].map((item) => batches.submit(item));
  await nextTurn();
  const results = Promise.allSettled([...together, batches.submit('waits')]);
  vi.advanceTimersByTime(300);
  const unavailable = { status: 'rejected', reason: { code: 'service_unavailable', retryAfter: 1 } };
  expect(await results).toMatchObject([unavailable, unavailable, unavailable, unavailable]);
  ends[0]?.();
  await nextTurn();
  expect(run.mock.calls).toEqual([[['a', 'b', 'c']], [['a']]]);
  void batches.submit('d');
  await nextTurn();
  expect(run.mock.lastCall).toEqual([['d']]);
});

it('an item that waits longer than it may is rejected instead of started: it could wait for a lock after its timeout', async () => {
  const run = vi.fn((items: readonly string[]) => Promise.resolve(items));
  const limits = { concurrency: 1, maxSize: 10, timeoutMs: 300, hadNoEffect: () => true };
  const batches = new Batches<string, string>({ ...limits, startWithinMs: -1, run });
  await expect(batches.submit('late')).rejects.toMatchObject({ code: 'service_unavailable' });
  expect([run.mock.calls, batches.queueLength]).toEqual([[], 0]);
});

describe('the items of several owners', () => {
  const limits = { concurrency: 2, totalConcurrency: 3, maxSize: 1, timeoutMs: 300, hadNoEffect: () => false };

  it('take turns, and one owner never has all batches', async () => {
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const run = ([item = '']: readonly string[]): Promise<readonly string[]> => {
      started.push(item);
      return new Promise((resolve) => {
        ends.push(() => resolve([item]));
      });
    };
    const batches = new Batches<string, string>({ ...limits, run });
    const end = async () => {
      ends.shift()?.();
      await nextTurn();
    };
    for (const item of ['a1', 'a2', 'a3', 'a4', 'a5']) void batches.submit(item, 1);
    await nextTurn();
    expect(started.splice(0)).toEqual(['a1', 'a2']);
    for (const item of ['b1', 'b2', 'b3']) void batches.submit(item, 2);
    void batches.submit('c1', 3);
    await nextTurn();
    expect([started.splice(0), batches.queueLength]).toEqual([['b1'], 6]);
    for (let count = 0; count < 9; count += 1) await end();
    expect([started, batches.queueLength]).toEqual([['a3', 'c1', 'b2', 'a4', 'b3', 'a5'], 0]);
  });

  it('that have timed out reject those of their owner, not those of another one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const run = (items: readonly string[]) =>
      items[0] === 'a' ? new Promise<never>(() => {}) : Promise.resolve(items);
    const batches = new Batches<string, string>({ ...limits, run });
    const results = Promise.allSettled(['a', 'a', 'a'].map((item) => batches.submit(item, 1)));
    await nextTurn();
    vi.advanceTimersByTime(300);
    const unavailable = { code: 'service_unavailable' };
    expect(await results).toMatchObject([{ reason: unavailable }, { reason: unavailable }, { reason: unavailable }]);
    await expect(batches.submit('a', 1)).rejects.toMatchObject(unavailable);
    expect(await batches.submit('b', 2)).toBe('b');
  });
});

/** The number of items in the statements that PostgreSQL receives for concurrent requests. */
async function countSent(request: (pets: PetsRepository, lists: PetListRepository) => Promise<unknown>[]) {
  const sent: unknown[] = [];
  const query = ({ values: [items = []] = [] }: { values?: unknown[][] }) =>
    Promise.resolve({ rows: [], sent: sent.push(...items) });
  const metrics = new Metrics();
  const pool = { query } as never;
  await Promise.all(request(new PetsRepository(pool, metrics), new PetListRepository(pool, {} as never, metrics)));
  return sent.length;
}

it('concurrent gets of equal ids share a result, also beyond 2^53', async () => {
  const ids = [9_007_199_254_740_993n, 9_007_199_254_740_992n];
  expect(await countSent((pets) => [...ids, ...ids].map((id) => pets.get(id)))).toBe(2);
});

it.each<[string, Partial<PageQuery>]>([
  ['a size', { size: 21 }],
  ['a bound', { bound: 7n }],
  ['a status', { filter: { status: 'pending' } }],
])('concurrent requests for pages that differ in %s share no result', async (_what, different) => {
  const page: PageQuery = { order: 'asc', filter: { status: 'sold' }, bound: 1n, size: 20 };
  const pages = [page, { ...page, ...different }];
  expect(await countSent((_, lists) => [...pages, ...pages].map((one) => lists.list(one, 1)))).toBe(2);
});
