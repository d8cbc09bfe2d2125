import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiResponse } from '../support/api.js';
import { DatabaseLink } from '../support/database-link.js';
import { addPet, linkOf } from '../support/pets.js';
import { startOn, startTestApp, type TestApp } from '../support/test-app.js';

/** Responses of its database are delayed, so that requests wait and share a batch. */
let slow: TestApp;
let quick: TestApp;
let link: DatabaseLink;
const ids: bigint[] = [];
beforeAll(async () => {
  quick = await startTestApp();
  link = await DatabaseLink.to(quick.databaseUrl);
  slow = await startOn(link.url);
  for (let number = 0; number < 24; number += 1) {
    const status = ['available', 'pending', 'pending', 'sold'][number % 4];
    ids.push((await addPet(quick.api, { name: `"Rex"\n${number} Ä\\`, categoryId: number, status })).id);
  }
  link.delayMs = 100;
});
afterAll(async () => {
  link.delayMs = 0;
  await slow.close();
  await quick.close();
  await link.cut();
});

const contentOf = ({ status, text, headers }: ApiResponse) => ({ status, text, link: headers.get('link') });

async function expectTheSame(paths: readonly string[]): Promise<void> {
  const separate = [];
  for (const path of paths) separate.push(contentOf(await quick.api.get(path)));
  expect(new Set(separate.map(({ text }) => text)).size).toBeGreaterThan(paths.length / 2);
  const batched = await Promise.all(paths.map((path) => slow.api.get(path)));
  expect(batched.map(contentOf)).toEqual(separate);
}

describe('Requests in one batch', () => {
  it.each(['asc', 'desc'])('each get their own page and link to the next one: %s', async (order) => {
    const filters = ['', '&status=available', '&status=pending', '&status=sold'];
    const firsts = filters.flatMap((filter) =>
      [1, 5, 6, 7, 100].map((limit) => `?order=${order}${filter}&limit=${limit}`),
    );
    const nexts = await Promise.all(
      firsts.map(async (first) => linkOf(await quick.api.get(`/v1/pets${first}`), 'next') ?? `/v1/pets${first}`),
    );
    await expectTheSame([...firsts.map((first) => `/v1/pets${first}`), ...nexts]);
  });

  it('each get their own pet, and a 404 if it does not exist', async () => {
    await expectTheSame([...ids, 999_999n].flatMap((id) => [`/v1/pets/${id}`, `/v1/pets?id=${id}&status=pending`]));
  });

  it('each create their own pet', async () => {
    const names = Array.from({ length: 40 }, (_, number) => `Bella ${number}`);
    const bodies = names.map((name, number) => ({ name, categoryId: number, status: 'sold' }));
    const responses = await Promise.all(bodies.map((body) => slow.api.post('/v1/pets', body)));
    for (const [index, { status, headers, text }] of responses.entries()) {
      expect(status).toBe(201);
      const location = headers.get('location') ?? '';
      expect(text).toContain(`"name":"Bella ${index}","categoryId":${index},"status":"sold"`);
      expect((await quick.api.get(location)).text).toBe(text);
    }
  });
});
