import { randomBytes } from 'node:crypto';
import { FaultyLink, type FaultOf } from '@petstore/test-kit/faulty-link.js';
import { inject } from 'vitest';
import { type Pet, PetstoreClient, type PetstoreClientOptions } from '../../src/index.js';

const links: FaultyLink[] = [];

/** Closes the links of a test file. */
export async function closeLinks(): Promise<void> {
  await Promise.all(links.splice(0).map((link) => link.close()));
}

/** Creates a client of the service. A busy machine delays no response beyond its time limit. */
export function clientOf(options: Partial<PetstoreClientOptions> = {}): PetstoreClient {
  const service = { baseUrl: `${inject('serviceUrl')}/v1`, apiKey: inject('apiKey') };
  return new PetstoreClient({ ...service, timeoutMs: 60_000, ...options });
}

/** Creates a client that uses a faulty link, which is closed after the tests of the file. */
export async function clientOnLink(
  faultOf: FaultOf,
  options: Partial<PetstoreClientOptions> = {},
): Promise<{ client: PetstoreClient; link: FaultyLink }> {
  const link = await FaultyLink.to(inject('serviceUrl'), faultOf);
  links.push(link);
  return { client: clientOf({ baseUrl: link.baseUrl, ...options }), link };
}

/** Returns a category that no other test uses. */
export function newCategory(): bigint {
  return randomBytes(8).readBigInt64LE();
}

/** Reads the animals of a category from the service, oldest first. */
export async function storedPets(categoryId: bigint): Promise<Pet[]> {
  const pets = [];
  for await (const pet of clientOf().listPets({ categoryId, limit: 100 })) pets.push(pet);
  return pets;
}

/** Returns the rejection reason of a promise. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  const [result] = await Promise.allSettled([promise]);
  if (result.status === 'fulfilled') throw new Error('The promise was fulfilled.');
  return result.reason;
}
