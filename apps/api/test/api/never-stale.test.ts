import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.js';
import { DatabaseLink } from '../support/database-link.js';
import { addPet, idsOf } from '../support/pets.js';
import { startOn, startTestApp, type TestApp } from '../support/test-app.js';

const delayMs = 150;

/** Its answers from the database are on the way for long; the other one's are not. */
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

/** Sends requests one after the other, a few at any time, so that some always wait and some are under way. */
async function keepBusy(read: () => Promise<Answer>, during: () => Promise<void>): Promise<void> {
  const state = { isBusy: true };
  const clients = Array.from({ length: 6 }, async (_, client) => {
    for (await sleep((client * delayMs) / 6); state.isBusy;) await read();
  });
  await during();
  state.isBusy = false;
  await Promise.all(clients);
}

describe('An answer', () => {
  it('comes from a query that began after its request, however long those before it take', async () => {
    await keepBusy(newest, async () => {
      for (let round = 0; round < 12; round += 1) {
        await sleep(Math.random() * delayMs);
        const { id } = await addPet(quick.api);
        // All three ask for what others wait for or are being told already.
        const lists = await Promise.all([newest(), newest(), newest()]);
        expect(lists.map(idsOf)).toEqual([[id], [id], [id]]);
      }
    });
  });

  it('finds an animal that was not there for the query before', async () => {
    const { id } = await addPet(quick.api);
    const next = `/v1/pets/${id + 1n}`;
    await keepBusy(
      () => slow.api.get(next),
      async () => {
        await sleep(delayMs / 2);
        expect((await addPet(quick.api)).id).toBe(id + 1n);
        const answers = await Promise.all([slow.api.get(next), slow.api.get(next)]);
        expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      },
    );
  });

  it('has the total of after its request', async () => {
    const before = Number((await total()).headers.get('x-total-count'));
    await keepBusy(total, async () => {
      for (let added = 1; added <= 8; added += 1) {
        await sleep(Math.random() * delayMs);
        await addPet(quick.api);
        expect(Number((await total()).headers.get('x-total-count'))).toBe(before + added);
      }
    });
  });
});
