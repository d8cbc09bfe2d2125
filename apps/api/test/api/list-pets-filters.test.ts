import type { Pet } from '@petstore/contracts';
import { listOrders, petStatuses } from '@petstore/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.js';
import { addPet, cursorOf, walk } from '../support/pets.js';
import { useTestApp } from '../support/test-app.js';

const categories = [7n, 9n, -7n, 0n, 9223372036854775807n, -9223372036854775808n];
const words = ['Rex', 'Brave Rex', 'Bella'];

const service = useTestApp();
const pets: Pet[] = [];
beforeAll(async () => {
  for (const status of petStatuses) {
    for (const categoryId of categories) {
      for (const name of words) pets.push(await addPet(service.api, { name, categoryId, status }));
    }
  }
});

function idsWhere(matches: (pet: Pet) => boolean): bigint[] {
  return pets.filter(matches).map(({ id }) => id);
}

const filters = [
  { query: '', matches: () => true },
  { query: 'q=rex', matches: ({ name }: Pet) => name.includes('Rex') },
  { query: 'categoryId=7,9', matches: ({ categoryId }: Pet) => [7n, 9n].includes(categoryId) },
  { query: 'categoryId=7', matches: ({ categoryId }: Pet) => categoryId === 7n },
  {
    query: 'q=brave+rex&categoryId=-7,0,9',
    matches: ({ name, categoryId }: Pet) => name === 'Brave Rex' && [-7n, 0n, 9n].includes(categoryId),
  },
  { query: 'q=zoe&categoryId=7', matches: () => false },
];
const lists = filters.flatMap(({ query, matches }) => [
  { query, matches },
  ...petStatuses.map((status) => ({
    query: `${query}&status=${status}`,
    matches: (pet: Pet) => matches(pet) && pet.status === status,
  })),
]);

it.each(lists)(
  'GET /v1/pets with q, categoryId and status returns each matching animal once, in both orders, with each limit: $query',
  async ({ query, matches }) => {
    const ids = idsWhere(matches);
    // Six divides the numbers of most lists, not of all.
    for (const limit of [6, 100]) {
      const pages = await walk(service.api, `/v1/pets?limit=${limit}&${query}`);
      expect(pages.flat()).toEqual(ids);
      // Every page except the last is full, and no empty page follows a full one.
      expect(pages).toHaveLength(Math.max(1, Math.ceil(ids.length / limit)));
      const descending = await walk(service.api, `/v1/pets?limit=${limit}&order=desc&${query}`);
      expect(descending.flat()).toEqual(ids.toReversed());
    }
  },
);

/** Each has a next page. */
const walks = [
  '',
  'q=rex',
  'categoryId=7',
  'categoryId=7,9',
  'status=sold',
  'status=sold&categoryId=7',
  'categoryId=7,9&q=rex&status=sold',
].flatMap((filter) => listOrders.map((order) => `order=${order}${filter && `&${filter}`}`));

describe('GET /v1/pets?after= with a filter', () => {
  it('returns 400 invalid_cursor when the cursor belongs to another filter or order', async () => {
    const cursors = await Promise.all(walks.map((query) => cursorOf(service.api, `limit=1&${query}`)));
    for (const [index, query] of walks.entries()) {
      for (const [other, cursor] of cursors.entries()) {
        const response = await service.api.get(`/v1/pets?${query}&after=${cursor}`);
        if (index === other) expect(response.status, query).toBe(200);
        else expect(expectError(response, 'invalid_cursor')).toContain('these filters');
      }
    }
  });
});
