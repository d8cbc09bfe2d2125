import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { PetsRepository } from '../../src/features/pets/pets.repository.js';
import { Batches, Turns } from '../../src/platform/batches.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { databaseTimeoutMs, lockTimeoutMs } from '../../src/platform/time-limit.js';

/** The first turn of the event loop settles finished batches, the second starts waiting ones. */
async function nextTurn(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

const unavailable = { status: 'rejected', reason: { code: 'service_unavailable', retryAfter: 1 } };

function useFakeTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

it('after its timeout, a rejected item does not run, neither alone nor in a later batch: a request that got 503 has no effect later', async () => {
  useFakeTime();
  const ends: (() => void)[] = [];
  const run = vi.fn((items: readonly string[]): Promise<readonly string[]> => {
    if (items.length > 1) return Promise.reject(new pg.DatabaseError('one of the items is bad', 0, 'error'));
    return new Promise((resolve) => {
      ends.push(() => resolve(items));
    });
  });
  const batches = new Batches<string, string>(new Metrics(), 'test', { run });
  const results = [batches.submit('runs')];
  await nextTurn();
  results.push(...['a', 'b', 'c'].map((item) => batches.submit(item)));
  await nextTurn();
  results.push(batches.submit('waits'));
  const settled = Promise.allSettled(results);
  vi.advanceTimersByTime(databaseTimeoutMs);
  expect(await settled).toMatchObject(results.map(() => unavailable));
  for (const end of ends) end();
  await nextTurn();
  expect(run.mock.calls).toEqual([[['runs']], [['a', 'b', 'c']], [['a']]]);
  void batches.submit('d');
  await nextTurn();
  expect(run.mock.lastCall).toEqual([['d']]);
});

it('a write that waits longer than it may is rejected instead of started: it could wait for a lock after its timeout', async () => {
  useFakeTime();
  const run = vi.fn((items: readonly string[]) => Promise.resolve(items));
  const submitLate = (isWrite: boolean) => {
    const result = new Batches<string, string>(new Metrics(), 'test', { run, isWrite }).submit('late');
    vi.advanceTimersByTime(databaseTimeoutMs - lockTimeoutMs);
    return result;
  };
  await expect(submitLate(true)).rejects.toMatchObject(unavailable.reason);
  expect(run).not.toHaveBeenCalled();
  expect(await submitLate(false)).toBe('late');
});

it('the turns of an API key that have timed out reject others of this key, not those of another one', async () => {
  useFakeTime();
  const run = (item: string) => (item === 'a' ? new Promise<never>(() => {}) : Promise.resolve(item));
  const turns = new Turns<string, string>(new Metrics(), 'test', { run });
  const results = ['a', 'a', 'a'].map((item) => turns.run(item, 1));
  const settled = Promise.allSettled(results);
  await nextTurn();
  vi.advanceTimersByTime(databaseTimeoutMs);
  expect(await settled).toMatchObject(results.map(() => unavailable));
  await expect(turns.run('a', 1)).rejects.toMatchObject(unavailable.reason);
  expect(await turns.run('b', 2)).toBe('b');
});

it('concurrent gets of equal ids share a result, also beyond 2^53', async () => {
  const query = vi.fn((_statement: { values: unknown[] }) => Promise.resolve({ rows: [] }));
  const pets = new PetsRepository({ query } as never, new Metrics());
  const ids = [9_007_199_254_740_993n, 9_007_199_254_740_992n];
  await Promise.all([...ids, ...ids].map((id) => pets.get(id)));
  expect(query.mock.calls).toEqual([[expect.objectContaining({ values: [ids] })]]);
});
