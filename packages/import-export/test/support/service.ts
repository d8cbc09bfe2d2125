import { randomBytes } from 'node:crypto';
import { type Pet, PetstoreClient, type PetstoreClientOptions } from '@petstore/client';
import { inject } from 'vitest';

export function clientOf(options: Partial<PetstoreClientOptions> = {}): PetstoreClient {
  const service = { baseUrl: `${inject('serviceUrl')}/v1`, apiKey: inject('apiKey') };
  // A busy machine delays no response beyond this limit.
  return new PetstoreClient({ ...service, timeoutMs: 60_000, ...options });
}

/** Returns a category that no other test uses. */
export function newCategory(): bigint {
  return randomBytes(8).readBigInt64LE();
}

/** Reads the animals of a category, oldest first. */
export async function storedPets(categoryId: bigint, client = clientOf()): Promise<Pet[]> {
  const pets = [];
  for await (const pet of client.listPets({ categoryId, limit: 100 })) pets.push(pet);
  return pets;
}
