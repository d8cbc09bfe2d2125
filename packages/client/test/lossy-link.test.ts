import { describe, expect, it } from 'vitest';
import { clientOnLink, newCategory, storedPets } from './support/clients.js';

describe('200 creates over a link that loses every fifth response', () => {
  it('create exactly 200 animals', async () => {
    const { client, link } = await clientOnLink(({ number }) => (number % 5 === 0 ? 'lose' : undefined), {
      retries: 10,
    });
    const categoryId = newCategory();
    const names = Array.from({ length: 200 }, (_, number) => `animal ${number}`);
    const waiting = names.values();
    const createdIds: bigint[] = [];
    const work = async () => {
      for (const name of waiting) createdIds.push((await client.createPet({ name, categoryId })).id);
    };
    await Promise.all(Array.from({ length: 25 }, work));

    const stored = await storedPets(categoryId);
    expect(stored.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    expect(stored.map(({ id }) => id)).toEqual(createdIds.toSorted((one, other) => Number(one - other)));
    expect(link.requests.length).toBeGreaterThanOrEqual(249);
  }, 120_000);
});
