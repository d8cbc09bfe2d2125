import { type NewPet, type Pet, PetstoreClient } from '@petstore/client';
import { inject } from 'vitest';

function connect(): PetstoreClient {
  return new PetstoreClient({ baseUrl: `${inject('serviceUrl')}/v1`, apiKey: inject('apiKey') });
}

/** Creates animals in this order. */
export async function createPets(pets: readonly NewPet[]): Promise<void> {
  for (const pet of pets) await connect().createPet(pet);
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
