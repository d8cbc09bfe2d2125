import type { Pet, PetStatus } from '@petstore/contracts';
import { petStatuses } from '@petstore/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.js';
import { addPet, addPets, idsOf, linkOf, walk } from '../support/pets.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
beforeEach(() => service.sql('TRUNCATE pet CASCADE'));
afterAll(() => service.close());

/** Seven pets of each status, mixed. */
async function addMixed(): Promise<Pet[]> {
  const pets = [];
  for (let round = 0; round < 7; round += 1) {
    for (const status of petStatuses) pets.push(await addPet(service.api, { status }));
  }
  return pets;
}

function idsWith(pets: Pet[], status: PetStatus | undefined): bigint[] {
  return pets.filter((pet) => status === undefined || pet.status === status).map(({ id }) => id);
}

/** The cursor in the link to the next page. */
async function cursorOf(query: string): Promise<string> {
  const next = linkOf(await service.api.get(`/v1/pets?${query}`), 'next');
  return new URLSearchParams(next?.split('?', 2)[1]).get('after') ?? '';
}

describe('a walk through GET /v1/pets', () => {
  it('returns every pet once, in both orders, with and without a status, for every limit', async () => {
    const pets = await addMixed();
    for (const status of [undefined, ...petStatuses]) {
      const ids = idsWith(pets, status);
      for (const limit of [1, 2, 7, 100]) {
        const query = `limit=${limit}${status ? `&status=${status}` : ''}`;
        expect((await walk(service.api, `/v1/pets?${query}`)).flat()).toEqual(ids);
        expect((await walk(service.api, `/v1/pets?${query}&order=desc`)).flat()).toEqual(ids.toReversed());
      }
    }
  });

  it('fills every page except the last, and adds no empty page after a full one', async () => {
    await addPets(service.api, 6);
    expect((await walk(service.api, '/v1/pets?limit=3')).map(({ length }) => length)).toEqual([3, 3]);
    expect((await walk(service.api, '/v1/pets?limit=4')).map(({ length }) => length)).toEqual([4, 2]);
  });

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

  it('splits pages correctly, whatever the names contain', async () => {
    const names = [`},{"id":7,"name":"Rex`, `\\",{"id":9`, `,{"id":1}`, `"}]`];
    const pets = [];
    for (const name of names) pets.push(await addPet(service.api, { name }));
    for (const limit of [1, 2, 3]) {
      const { json, headers } = await service.api.get(`/v1/pets?limit=${limit}`);
      expect(json).toEqual(pets.slice(0, limit));
      expect(headers.get('link')).toContain('rel="next"');
      expect((await walk(service.api, `/v1/pets?limit=${limit}`)).flat()).toEqual(pets.map(({ id }) => id));
    }
  });

  it('continues after a pet that was deleted', async () => {
    const [, second, third] = await addPets(service.api, 3);
    const after = await cursorOf('limit=2');
    await service.sql(`DELETE FROM pet WHERE id = ${second?.id}`);
    expect(idsOf(await service.api.get(`/v1/pets?after=${after}`))).toEqual([third?.id]);
  });
});

describe('GET /v1/pets links', () => {
  it('names the first page and, if more pets follow, the next one', async () => {
    await addPets(service.api, 3);
    const response = await service.api.get('/v1/pets?limit=2');
    const after = await cursorOf('limit=2');
    expect(after).toMatch(/^[A-Za-z0-9_-]{18}$/);
    expect(response.headers.get('link')).toBe(
      `</v1/pets?limit=2&after=${after}>; rel="next", </v1/pets?limit=2>; rel="first"`,
    );
  });

  it('keeps limit, status and order, and adds no other parameter', async () => {
    await addPets(service.api, 21, { status: 'sold' });
    for (const query of ['', 'limit=5', 'status=sold', 'order=desc', 'limit=5&status=sold&order=desc']) {
      const response = await service.api.get(`/v1/pets?${query}`);
      const after = await cursorOf(query);
      const first = query ? `?${query}` : '';
      const next = `?${query ? `${query}&` : ''}after=${after}`;
      expect(response.headers.get('link')).toBe(`</v1/pets${next}>; rel="next", </v1/pets${first}>; rel="first"`);
    }
  });

  it('names no next page on the last one', async () => {
    await addPets(service.api, 3);
    const last = await service.api.get(`/v1/pets?limit=2&after=${await cursorOf('limit=2')}`);
    expect(last.headers.get('link')).toBe('</v1/pets?limit=2>; rel="first"');
    expect((await service.api.get('/v1/pets?limit=3')).headers.get('link')).toBe('</v1/pets?limit=3>; rel="first"');
  });

  it('names no next page for an empty list', async () => {
    expect((await service.api.get('/v1/pets')).headers.get('link')).toBe('</v1/pets>; rel="first"');
  });
});

describe('GET /v1/pets?after=', () => {
  it('returns 200 when the limit changes between pages', async () => {
    const ids = (await addPets(service.api, 9)).map(({ id }) => id);
    const after = await cursorOf('limit=2');
    expect(idsOf(await service.api.get(`/v1/pets?limit=5&after=${after}`))).toEqual(ids.slice(2, 7));
    expect(idsOf(await service.api.get(`/v1/pets?after=${after}`))).toEqual(ids.slice(2));
  });

  it('returns 200 with order=asc for a cursor of the default order', async () => {
    const ids = (await addPets(service.api, 2)).map(({ id }) => id);
    const after = await cursorOf('limit=1');
    expect(idsOf(await service.api.get(`/v1/pets?order=asc&after=${after}`))).toEqual(ids.slice(1));
  });

  it('returns 400 invalid_cursor when the cursor belongs to another status or order', async () => {
    await addPets(service.api, 2, { status: 'sold' });
    const walks = ['', 'order=desc', 'status=sold', 'status=sold&order=desc'];
    for (const cursorQuery of walks) {
      const after = await cursorOf(`limit=1&${cursorQuery}`);
      for (const listQuery of walks) {
        const response = await service.api.get(`/v1/pets?${listQuery}&after=${after}`);
        if (listQuery === cursorQuery) expect(response.status).toBe(200);
        else expect(expectError(response, 'invalid_cursor')).toContain('after');
      }
    }
  });

  it('returns 400 invalid_cursor when a character of the cursor is changed, missing or added', async () => {
    await addPets(service.api, 2);
    const after = await cursorOf('limit=1');
    const changed = [...after].map(
      (character, at) => after.slice(0, at) + (character === 'A' ? 'B' : 'A') + after.slice(at + 1),
    );
    for (const cursor of [
      ...changed,
      after.slice(1),
      after.slice(0, -1),
      `${after}A`,
      `${after}=`,
      after.repeat(200),
      ` ${after}`,
      `${after}%0A`,
    ]) {
      expectError(await service.api.get(`/v1/pets?after=${cursor}`), 'invalid_cursor');
    }
  });

  it.each(['', '1', '0', 'null', 'AAAAAAAAAAAAAAAAAAAA', '%00', '%F0%9F%90%88', '../..', "'; DROP TABLE pet; --"])(
    'returns 400 invalid_cursor for after=%s',
    async (cursor) => {
      expectError(await service.api.get(`/v1/pets?after=${cursor}`), 'invalid_cursor');
    },
  );
});
