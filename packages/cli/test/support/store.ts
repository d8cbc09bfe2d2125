import { type Pet, PetstoreClient } from '@petstore/client';
import { inject } from 'vitest';

/** Reads the animals of a category from the service, oldest first. */
export async function storedPets(categoryId: bigint): Promise<Pet[]> {
  const client = new PetstoreClient({ baseUrl: `${inject('serviceUrl')}/v1`, apiKey: inject('apiKey') });
  const pets = [];
  for await (const pet of client.listPets({ limit: 100 })) if (pet.categoryId === categoryId) pets.push(pet);
  return pets;
}

/** The names of the animals of a category, sorted. */
export async function storedNames(categoryId: bigint): Promise<string[]> {
  return (await storedPets(categoryId)).map(({ name }) => name).toSorted();
}
