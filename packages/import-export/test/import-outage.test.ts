import { PetstoreNetworkError } from '@petstore/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { clientWith, csvOf, importCsv, namesIn, numbered, rateLimited } from './support/imports.js';
import { MemoryJournal } from './support/memory-journal.js';
import { newCategory } from './support/service.js';

describe('an import whose service does not answer', () => {
  const away = new PetstoreNetworkError('The connection failed.', { cause: new Error('other side closed') });

  it('waits if it is patient, says so once, and adds each animal once', async () => {
    const [categoryId, waits] = [newCategory(), vi.fn<() => void>()];
    let requests = 0;
    const client = clientWith(async (send) => {
      const pet = await send();
      if ((requests += 1) <= 6) throw away;
      return pet;
    });
    const options = { client, concurrency: 4, patienceMs: 60_000, onWait: waits };
    const result = await importCsv(csvOf(categoryId, numbered(10)), options);
    expect(result).toMatchObject({ created: 10, interrupted: 0, isComplete: true, failure: undefined });
    expect(waits).toHaveBeenCalledTimes(1);
    expect(await namesIn(categoryId)).toEqual(numbered(10).toSorted());
  });

  it('stops when its patience ends', async () => {
    const client = clientWith(() => Promise.reject(away));
    const result = await importCsv(csvOf(newCategory(), numbered(3)), { client, concurrency: 3, patienceMs: 500 });
    expect(result).toMatchObject({ created: 0, interrupted: 3, isComplete: false, failure: away });
  });

  it('does not count the time in which its device sleeps', async () => {
    let [time, requests] = [performance.now(), 0];
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 3_600_000));
    onTestFinished(() => clock.mockRestore());
    const client = clientWith((send) => ((requests += 1) <= 3 ? Promise.reject(away) : send()));
    const options = { client, concurrency: 1, patienceMs: 300_000 };
    expect(await importCsv(csvOf(newCategory(), numbered(3)), options)).toMatchObject({ created: 3, isComplete: true });
  });

  it('sends no request again after its device has slept for a day, because it could add a second animal', async () => {
    const [journal, categoryId, clock] = [new MemoryJournal(), newCategory(), vi.spyOn(Date, 'now')];
    onTestFinished(() => clock.mockRestore());
    const client = clientWith(async (send) => {
      await send();
      throw away;
    });
    const sleepADay = () => {
      const tomorrow = Date.now() + 24 * 3_600_000;
      clock.mockReturnValue(tomorrow);
    };
    const csv = csvOf(categoryId, ['Rex']);
    const options = { client, patienceMs: 60_000, onWait: sleepADay };
    expect(await importCsv(csv, { journal, ...options })).toMatchObject({ interrupted: 1, failure: away });
    expect(await importCsv(csv, { journal })).toMatchObject({ created: 0, unknown: 1, isComplete: true });
    expect(await namesIn(categoryId)).toEqual(['Rex']);
  });

  it('waits for the rate limit, once for all requests', async () => {
    const [categoryId, limits] = [newCategory(), vi.fn<(seconds: number) => void>()];
    let [requests, reject] = [0, () => {}];
    const rejected = new Promise<never>((_, fail) => {
      reject = () => fail(rateLimited);
    });
    const client = clientWith((send) => {
      requests += 1;
      if (requests === 4) reject();
      return requests <= 4 ? rejected : send();
    });
    const options = { client, concurrency: 4, patienceMs: 60_000, onLimit: limits };
    expect(await importCsv(csvOf(categoryId, numbered(10)), options)).toMatchObject({ created: 10, isComplete: true });
    expect(limits.mock.calls).toEqual([[1]]);
  });

  it('keeps a line whose first response was lost when the rate limit rejects the second request', async () => {
    let requests = 0;
    const pausing = new AbortController();
    const client = clientWith(async (send) => {
      if ((requests += 1) > 1) throw rateLimited;
      await send();
      throw away;
    });
    const [csv, journal] = [csvOf(newCategory(), ['Rex']), new MemoryJournal()];
    const options = { patienceMs: 60_000, signal: pausing.signal, onLimit: () => pausing.abort() };
    expect(await importCsv(csv, { journal, client, ...options })).toMatchObject({ interrupted: 1, failure: undefined });
    expect(await importCsv(csv, { journal })).toMatchObject({ created: 1 });
  });

  it('stops when it is paused while it waits, and adds each animal once when it continues', async () => {
    const [journal, categoryId, pausing] = [new MemoryJournal(), newCategory(), new AbortController()];
    const client = clientWith(async (send) => {
      await send();
      throw away;
    });
    const csv = csvOf(categoryId, numbered(3));
    const options = { patienceMs: 60_000, signal: pausing.signal, onWait: () => pausing.abort() };
    expect(await importCsv(csv, { journal, client, ...options })).toMatchObject({ created: 0, isComplete: false });
    expect(await importCsv(csv, { journal })).toMatchObject({ created: 3, isComplete: true });
    expect(await namesIn(categoryId)).toEqual(numbered(3));
  });
});
