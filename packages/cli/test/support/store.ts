import { type Pet, PetstoreClient } from '@petstore/client';
import { inject } from 'vitest';

function connect(): PetstoreClient {
  return new PetstoreClient({ baseUrl: `${inject('serviceUrl')}/v1`, apiKey: inject('apiKey') });
}

/** Creates an animal with each name. */
export async function storeNames(categoryId: bigint, names: readonly string[]): Promise<void> {
  for (const name of names) await connect().createPet({ name, categoryId });
}

/** Reads the animals of a category from the service, oldest first. */
export async function storedPets(categoryId: bigint): Promise<Pet[]> {
  const pets = [];
  for await (const pet of connect().listPets({ categoryId, limit: 100 })) pets.push(pet);
  return pets;
}

/** The names of the animals of a category, sorted. */
export async function storedNames(categoryId: bigint): Promise<string[]> {
  return (await storedPets(categoryId)).map(({ name }) => name).toSorted();
}
