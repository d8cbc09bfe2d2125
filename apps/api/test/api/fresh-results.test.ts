import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiResponse } from '../support/api.js';
import { DatabaseLink } from '../support/database-link.js';
import { addPet, idsOf } from '../support/pets.js';
import { startOn, startTestApp, type TestApp } from '../support/test-app.js';

const delayMs = 150;

/** Responses of its database are delayed, unlike those of `quick`. */
let slow: TestApp;
let quick: TestApp;
let link: DatabaseLink;
beforeAll(async () => {
  quick = await startTestApp();
  link = await DatabaseLink.to(quick.databaseUrl);
  slow = await startOn(link.url);
  link.delayMs = delayMs;
});
afterAll(async () => {
  link.delayMs = 0;
  await slow.close();
  await quick.close();
  await link.cut();
});

const newest = () => slow.api.get('/v1/pets?order=desc&limit=1');
const total = () => slow.api.get('/v1/pets?limit=1', { prefer: 'count=exact' });

/** Keeps six requests running, so that new ones always find a running query and a waiting one. */
async function keepBusy(read: () => Promise<ApiResponse>, during: () => Promise<void>): Promise<void> {
  const state = { isBusy: true };
  const clients = Array.from({ length: 6 }, async (_, client) => {
    for (await sleep((client * delayMs) / 6); state.isBusy;) await read();
  });
  await during();
  state.isBusy = false;
  await Promise.all(clients);
}

describe('a response', () => {
  it('comes from a query that started after its request, however slow earlier queries are', async () => {
    await keepBusy(newest, async () => {
      for (let round = 0; round < 6; round += 1) {
        await sleep(Math.random() * delayMs);
        const { id } = await addPet(quick.api);
        // A query for the same pages is running, and another one is waiting.
        const lists = await Promise.all([newest(), newest(), newest()]);
        expect(lists.map(idsOf)).toEqual([[id], [id], [id]]);
      }
    });
  });

  it('contains a pet that the previous query did not find', async () => {
    const { id } = await addPet(quick.api);
    const next = `/v1/pets/${id + 1n}`;
    await keepBusy(
      () => slow.api.get(next),
      async () => {
        await sleep(delayMs / 2);
        expect((await addPet(quick.api)).id).toBe(id + 1n);
        const responses = await Promise.all([slow.api.get(next), slow.api.get(next)]);
        expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      },
    );
  });

  it('has a total that was counted after its request', async () => {
    const before = Number((await total()).headers.get('x-total-count'));
    await keepBusy(total, async () => {
      for (let added = 1; added <= 4; added += 1) {
        await sleep(Math.random() * delayMs);
        await addPet(quick.api);
        expect(Number((await total()).headers.get('x-total-count'))).toBe(before + added);
      }
    });
  });
});
