import { randomBytes } from 'node:crypto';
import { type Pet, PetstoreClient, type PetstoreClientOptions } from '@petstore/client';
import { apiKey, chooseSettings, ServiceProcess } from '@petstore/processes/service-process.js';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The `baseUrl` of the built service. */
    serviceUrl: string;
  }
}

/** Starts one built service for all tests; each test uses its own category of animals. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const service = new ServiceProcess(await chooseSettings());
  await service.start();
  project.provide('serviceUrl', `${service.url}/v1`);
  return () => service.remove();
}

export function clientOf(options: Partial<PetstoreClientOptions> = {}): PetstoreClient {
  return new PetstoreClient({ baseUrl: inject('serviceUrl'), apiKey, ...options });
}

/** Returns a category that no other test uses. */
export function newCategory(): bigint {
  return randomBytes(8).readBigInt64LE();
}

/** Reads the animals of a category, oldest first. */
export async function storedPets(categoryId: bigint): Promise<Pet[]> {
  const pets = [];
  for await (const pet of clientOf().listPets({ limit: 100 })) if (pet.categoryId === categoryId) pets.push(pet);
  return pets;
}
