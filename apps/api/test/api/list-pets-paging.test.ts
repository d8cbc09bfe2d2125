import type { Pet } from '@petstore/contracts';
import { petStatuses } from '@petstore/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.js';
import { addPet, addPets, cursorOf, idsOf, walk } from '../support/pets.js';
import { useTestApp } from '../support/test-app.js';

const service = useTestApp();
beforeEach(() => service.sql('TRUNCATE pet CASCADE'));

/** Seven pets of each status, mixed. */
async function addMixed(): Promise<Pet[]> {
  const pets = [];
  for (let round = 0; round < 7; round += 1) {
    for (const status of petStatuses) pets.push(await addPet(service.api, { status }));
  }
  return pets;
}

describe('a walk through GET /v1/pets', () => {
  it.each(['asc', 'desc'])(
    'returns each pet that existed at its start once, while others are created (%s)',
    async (order) => {
      const before = (await addMixed()).map(({ id }) => id);
      const adding = Promise.all(Array.from({ length: 4 }, () => addPets(service.api, 15)));
      const walked = (await walk(service.api, `/v1/pets?limit=2&order=${order}`)).flat();
      await adding;
      expect(new Set(walked).size).toBe(walked.length);
      expect(walked.filter((id) => before.includes(id))).toEqual(order === 'asc' ? before : before.toReversed());
    },
  );
});

describe('GET /v1/pets links', () => {
  it('keep limit, status and order, add no other parameter, and are relative', async () => {
    await addPets(service.api, 21, { status: 'sold' });
    for (const query of ['', 'limit=5', 'status=sold', 'order=desc', 'limit=5&status=sold&order=desc']) {
      const response = await service.api.get(`/v1/pets?${query}`);
      const after = await cursorOf(service.api, query);
      const first = query ? `?${query}` : '';
      const next = `?${query ? `${query}&` : ''}after=${after}`;
      expect(response.headers.get('link')).toBe(`</v1/pets${next}>; rel="next", </v1/pets${first}>; rel="first"`);
    }
  });

  it('name no next page on the last one, and for an empty list', async () => {
    expect((await service.api.get('/v1/pets')).headers.get('link')).toBe('</v1/pets>; rel="first"');
    await addPets(service.api, 3);
    const last = await service.api.get(`/v1/pets?limit=2&after=${await cursorOf(service.api, 'limit=2')}`);
    expect(last.headers.get('link')).toBe('</v1/pets?limit=2>; rel="first"');
    expect((await service.api.get('/v1/pets?limit=3')).headers.get('link')).toBe('</v1/pets?limit=3>; rel="first"');
  });
});

describe('GET /v1/pets?after=', () => {
  it('returns 200 when the limit changes between pages, and with the default order', async () => {
    const ids = (await addPets(service.api, 9)).map(({ id }) => id);
    const after = await cursorOf(service.api, 'limit=2');
    expect(idsOf(await service.api.get(`/v1/pets?limit=5&after=${after}`))).toEqual(ids.slice(2, 7));
    expect(idsOf(await service.api.get(`/v1/pets?order=asc&after=${after}`))).toEqual(ids.slice(2));
  });

  it('returns 400 invalid_cursor when a character of the cursor is changed, missing or added', async () => {
    await addPets(service.api, 2);
    const after = await cursorOf(service.api, 'limit=1');
    const changed = [...after].map(
      (character, at) => after.slice(0, at) + (character === 'A' ? 'B' : 'A') + after.slice(at + 1),
    );
    const others = [after.slice(1), after.slice(0, -1), `${after}A`, `${after}=`, after.repeat(200), ` ${after}`];
    for (const cursor of [...changed, ...others, `${after}%0A`]) {
      expectError(await service.api.get(`/v1/pets?after=${cursor}`), 'invalid_cursor');
    }
  });

  it.each(['', '1', 'AAAAAAAAAAAAAAAAAAAA', '%00', '%F0%9F%90%88'])(
    'returns 400 invalid_cursor for after=%s',
    async (cursor) => {
      expectError(await service.api.get(`/v1/pets?after=${cursor}`), 'invalid_cursor');
    },
  );
});
