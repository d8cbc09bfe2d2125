import { int64 } from '@petstore/contracts';
import { describe, expect, it } from 'vitest';
import type { ListPetsOptions, NewPet, Pet, PetPage } from '../src/index.js';
import { clientOf, clientOnLink, failureOf, newCategory, storedPets } from './support/clients.js';

const client = clientOf();

async function addPets(count: number, categoryId: bigint): Promise<Pet[]> {
  const pets = [];
  for (let number = 1; number <= count; number += 1) {
    pets.push(await client.createPet({ name: `animal ${number}`, categoryId, status: 'pending' }));
  }
  return pets;
}

describe('createPet', () => {
  it('creates an animal with the default status available', async () => {
    const pet = await client.createPet({ name: 'Rex "🐕" \\ \u2028', categoryId: 7n });
    expect(pet).toEqual({
      id: expect.any(BigInt) as bigint,
      name: 'Rex "🐕" \\ \u2028',
      categoryId: 7n,
      status: 'available',
    });
    expect(await client.getPet(pet.id)).toEqual(pet);
  });

  it.each([int64.min, -(2n ** 53n) - 1n, 0n, 2n ** 53n + 1n, int64.max])(
    'keeps all digits of the category %d',
    async (categoryId) => {
      const pet = await client.createPet({ name: 'Rex', categoryId, status: 'sold' });
      expect(pet).toMatchObject({ categoryId, status: 'sold' });
      expect(await client.getPet(pet.id)).toEqual(pet);
    },
  );

  it('creates two animals in two calls without a key', async () => {
    const categoryId = newCategory();
    await Promise.all([client.createPet({ name: 'Rex', categoryId }), client.createPet({ name: 'Rex', categoryId })]);
    expect(await storedPets(categoryId)).toHaveLength(2);
  });

  it.each(['', 'with space', 'schlüssel', 'x'.repeat(256), null, 7])(
    'rejects the idempotency key %j before it sends a request',
    async (key) => {
      const idempotencyKey = key as string;
      await expect(client.createPet({ name: 'Rex', categoryId: 1n }, { idempotencyKey })).rejects.toThrow(
        new TypeError('`idempotencyKey` must be 1 to 255 visible ASCII characters.'),
      );
    },
  );

  it.each([
    [{ name: 1.5 }, '`name` must be a string'],
    [{ name: 'Rex', price: 12.5 }, '`price` is unknown.'],
  ])('leaves the faults of %j to the service', async (members, message) => {
    const newPet = { categoryId: 7, ...members } as NewPet;
    const error = await failureOf(client.createPet(newPet));
    expect(error).toMatchObject({ code: 'invalid_body', message: expect.stringContaining(message) as string });
  });
});

describe('an integer', () => {
  it('may be a number in every argument, and is a bigint in every result', async () => {
    const categoryId = Number(newCategory() % 2n ** 53n);
    const pet = await client.createPet({ name: 'Rex', categoryId });
    expect(pet).toMatchObject({ id: expect.any(BigInt) as bigint, categoryId: BigInt(categoryId) });
    expect(await client.getPet(Number(pet.id))).toEqual(pet);
    for (const filter of [categoryId, [categoryId, 7n]]) {
      expect((await client.listPets({ categoryId: filter, q: 'rex', order: 'desc' })).pets).toContainEqual(pet);
    }
  });

  it.each([2 ** 53, 1.5, Number.NaN, '7', null, [[7n]]])('is rejected before a request is sent: %s', async (value) => {
    const fault = `must be a bigint, or a number that is an integer up to ${Number.MAX_SAFE_INTEGER}. Convert a text with BigInt().`;
    const { client: observed, link } = await clientOnLink(() => undefined);
    const integer = value as number;
    const ofCategory = new TypeError(`\`categoryId\` ${fault}`);
    expect(() => observed.listPets({ categoryId: integer })).toThrow(ofCategory);
    if (!Array.isArray(value))
      expect(await failureOf(observed.getPet(integer))).toEqual(new TypeError(`\`id\` ${fault}`));
    if (typeof value === 'number') {
      expect(await failureOf(observed.createPet({ name: 'Rex', categoryId: value }))).toEqual(ofCategory);
    }
    expect(link.requests).toEqual([]);
  });
});

describe('getPet', () => {
  it.each([
    [int64.max, int64.max],
    [int64.min - 1n, 0n],
    [int64.max + 1n, 0n],
  ])('returns undefined for %d, and asks the list for %d, not the deprecated operation', async (id, requested) => {
    const { client: observed, link } = await clientOnLink(() => undefined);
    expect(await observed.getPet(id)).toBeUndefined();
    expect(link.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([`GET /v1/pets?id=${requested}`]);
  });
});

describe('listPets', () => {
  it('requests no page before it is read', async () => {
    let requests = 0;
    const counting = clientOf({ fetch: (...request) => ((requests += 1), fetch(...request)) });
    const list = counting.listPets({ limit: 1 });
    expect(requests).toBe(0);
    await addPets(2, 1n);
    for await (const _ of list) break;
    expect(requests).toBe(1);
  });

  it('returns the page at a cursor, with a total only if requested, also to `await` alone', async () => {
    await addPets(3, newCategory());
    const first = await client.listPets({ status: 'pending', limit: 2, order: 'desc' });
    expect(first).toEqual({ pets: expect.any(Array) as Pet[], next: expect.any(String) as string, total: undefined });
    const second = await client
      .listPets({ status: 'pending', limit: 1, order: 'desc', after: first.next, count: true })
      .page();
    expect(second.pets).toHaveLength(1);
    expect(second.pets[0]?.id).toBeLessThan(first.pets[1]?.id ?? 0n);
    expect(second.total).toBeGreaterThanOrEqual(3);
    const failed = await client.listPets({ after: 'x' }).then(null, (error: unknown) => error);
    expect(failed).toMatchObject({ code: 'invalid_cursor' });
  });

  it('returns the animals that have one of the categories, all words and the status, and counts them', async () => {
    const [first, second] = [newCategory(), newCategory()];
    const rex = await client.createPet({ name: 'Réx Brave', categoryId: first });
    const other = await client.createPet({ name: 'brave rexford', categoryId: second });
    await client.createPet({ name: 'Rex', categoryId: second });
    await client.createPet({ name: 'Rex brave', categoryId: newCategory() });
    const sold = await client.createPet({ name: 'Rex brave', categoryId: first, status: 'sold' });
    const found = async (query: ListPetsOptions) => {
      const list = client.listPets(query);
      const [pets, pages]: [Pet[], PetPage[]] = [[], []];
      for await (const pet of list) pets.push(pet);
      for await (const page of list.pages()) pages.push(page);
      expect(pages.flatMap((page) => page.pets)).toEqual(pets);
      expect(pages.at(-1)?.next).toBeUndefined();
      expect(await list.count()).toBe(pets.length);
      return pets;
    };
    expect(await found({ categoryId: first })).toEqual([rex, sold]);
    expect(await found({ categoryId: [second, first], q: 'BRAVE rex' })).toEqual([rex, other, sold]);
    const paged = { categoryId: [second, first], q: 'brave rex', limit: 1, order: 'desc' } as const;
    expect(await found(paged)).toEqual([sold, other, rex]);
    expect(await found({ categoryId: [second, first], q: 'brave rex', status: 'sold' })).toEqual([sold]);
    expect(await found({ q: String(newCategory()) })).toEqual([]);
  });

  it('counts with a request that returns one animal', async () => {
    const categoryId = newCategory();
    const { client: observed, link } = await clientOnLink(() => undefined);
    const counted = await observed.listPets({ categoryId, limit: 100 }).count().withResponse();
    expect(counted).toMatchObject({ data: 0, requestId: expect.any(String) as string });
    expect(link.requests.map(({ path }) => path)).toEqual([`/v1/pets?limit=1&categoryId=${categoryId}`]);
  });

  it.each([
    ['12', true, 12],
    ['12', false, undefined],
    ['many', true, undefined],
    ['', true, undefined],
  ])('reads X-Total-Count %j, with count %s, as the total %s', async (value, count, total) => {
    const fetch = async () => new Response('[]', { headers: { 'x-total-count': value } });
    expect(await clientOf({ fetch }).listPets({ count }).page()).toEqual({ pets: [], next: undefined, total });
  });
});
