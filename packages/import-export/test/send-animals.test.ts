import { PetstoreNetworkError } from '@petstore/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { PetCreator, SendOptions } from '../src/send-animals.js';
import { animalsOf, clientWith, namesIn, newKeys, numbered, rateLimited, send } from './support/imports.js';
import { clientOf, newCategory } from './support/service.js';

type Wait = NonNullable<SendOptions['onWait']>;
const away = new PetstoreNetworkError('The connection failed.', { cause: new Error('other side closed') });
const rejecting = (failure: Error) =>
  clientWith(async () => {
    throw failure;
  });
/** The service adds the animal, but its response is lost. */
const lost = () =>
  clientWith(async (create) => {
    await create();
    throw away;
  });

describe('an import', () => {
  it('sends no more rows at a time than allowed', async () => {
    let [running, most] = [0, 0];
    const client = clientWith((create) => {
      most = Math.max(most, (running += 1));
      return create().finally(() => (running -= 1));
    });
    const result = await send(animalsOf(newCategory(), numbered(50)), { client, concurrency: 4 });
    expect({ ...result, most }).toMatchObject({ created: 50, most: 4 });
  });

  it('is complete if it is stopped after its last request', async () => {
    const stopping = new AbortController();
    const client = clientWith((create) => {
      stopping.abort();
      return create();
    });
    const options = { client, concurrency: 1, signal: stopping.signal };
    expect(await send(animalsOf(newCategory(), numbered(1)), options)).toMatchObject({ created: 1, isComplete: true });
    expect(await send(animalsOf(newCategory(), numbered(1)), options)).toMatchObject({ created: 0, isComplete: false });
  });

  it('goes on after a rejected row, and reports the message of the service, also when it is sent again', async () => {
    const [keyOf, categoryId] = [newKeys(), newCategory()];
    const client = clientWith((create, pet) => create(pet.name === 'Bella' ? { ...pet, name: '' } : pet));
    const animals = animalsOf(categoryId, ['Rex', 'Bella', 'Max']);
    const rejected = [{ state: 'rejected', row: 3, reason: '`name` must not be empty.' }];
    for (const _ of [1, 2]) {
      expect(await send(animals, { keyOf, client })).toMatchObject({ created: 2, rejected, isComplete: true });
    }
    expect(await namesIn(categoryId)).toEqual(['Max', 'Rex']);
  });

  it.for<[string, () => PetCreator, number, object]>([
    ['the API key is invalid', () => clientOf({ apiKey: 'unknown' }), 0, { code: 'invalid_api_key' }],
    ['the rate limit is reached, and it does not wait', () => rejecting(rateLimited), 0, { code: 'rate_limited' }],
    ['the outage lasts longer than allowed', () => rejecting(away), 500, away],
  ])('stops when %s', async ([, clientFor, maxOutageMs, failure]) => {
    const result = await send(animalsOf(newCategory(), numbered(200)), { client: clientFor(), maxOutageMs });
    expect(result).toMatchObject({ created: 0, rejected: [], isComplete: false, failure });
  });
});

describe('an interrupted import', () => {
  it('adds each animal once when all rows are sent again, after an abort and lost responses', async () => {
    const [keyOf, categoryId, stopping] = [newKeys(), newCategory(), new AbortController()];
    const animals = animalsOf(categoryId, numbered(100));
    let requests = 0;
    const client = clientWith(async (create) => {
      if ((requests += 1) === 30) stopping.abort();
      return create();
    });
    const stopped = await send(animals, { keyOf, client, signal: stopping.signal });
    expect(stopped).toMatchObject({ isComplete: false, failure: undefined });
    expect(await send(animals, { keyOf, client: lost() })).toMatchObject({ isComplete: false, failure: away });
    expect(await send(animals, { keyOf })).toMatchObject({ created: 100, isComplete: true, failure: undefined });
    expect(await namesIn(categoryId)).toEqual(numbered(100).toSorted());
  });

  it('sends no request 23 hours after its start, because it could add a second animal', async () => {
    const [startedAt, categoryId, client] = [Date.now(), newCategory(), lost()];
    const clock = vi.spyOn(Date, 'now');
    onTestFinished(() => clock.mockRestore());
    const hours = (count: number) => clock.mockReturnValue(startedAt + count * 3_600_000);
    hours(22.9);
    // The device sleeps before the request is repeated.
    const options = { startedAt, client, maxOutageMs: 60_000, onWait: () => void hours(23) };
    const failure = { name: 'ImportError', message: expect.stringContaining('23 hours') as string };
    expect(await send(animalsOf(categoryId, ['Rex']), options)).toMatchObject({ isComplete: false, failure });
    expect(await namesIn(categoryId)).toEqual(['Rex']);
  });
});

describe('an import whose service does not answer', () => {
  it('waits if it may, says so once, and adds each animal once', async () => {
    const [categoryId, onWait] = [newCategory(), vi.fn<Wait>()];
    let requests = 0;
    const client = clientWith(async (create) => {
      const response = await create();
      if ((requests += 1) <= 6) throw away;
      return response;
    });
    const options = { client, concurrency: 4, maxOutageMs: 300_000, onWait };
    // This run has created the animals.
    expect(await send(animalsOf(categoryId, numbered(10)), options)).toMatchObject({ created: 10, isComplete: true });
    expect(onWait.mock.calls).toEqual([[{ seconds: 1, status: undefined }]]);
    expect(await namesIn(categoryId)).toEqual(numbered(10).toSorted());
  });

  it('waits for the rate limit, once for all requests', async () => {
    const onWait = vi.fn<Wait>();
    let [requests, reject] = [0, () => {}];
    const rejected = new Promise<never>((_, fail) => {
      reject = () => fail(rateLimited);
    });
    const client = clientWith((create) => {
      if ((requests += 1) === 4) reject();
      return requests <= 4 ? rejected : create();
    });
    const options = { client, concurrency: 4, maxOutageMs: 60_000, onWait };
    expect(await send(animalsOf(newCategory(), numbered(10)), options)).toMatchObject({ created: 10 });
    expect(onWait.mock.calls).toEqual([[{ seconds: 1, status: 429 }]]);
  });
});
