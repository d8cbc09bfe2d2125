import { type CreatePetOptions, type NewPet, type Pet, PetstoreApiError } from '@petstore/client';
import { inject } from 'vitest';
import { checkFile } from '../../src/check-file.js';
import type { ImportOptions, Outcome } from '../../src/import-options.js';
import { importPets } from '../../src/import-pets.js';
import { fileOf } from './files.js';
import { MemoryJournal } from './memory-journal.js';
import { clientOf, storedPets } from './service.js';

/** A CSV file with these names, in a category. */
export function csvOf(categoryId: bigint, names: readonly string[]): string {
  return ['name,categoryId', ...names.map((name) => `${name},${categoryId}`)].join('\n');
}

/** Names with numbers. */
export function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `Rex ${index + 1}`);
}

/** Imports a file into the service, and collects the outcomes. */
export async function importCsv(csv: string, options: Partial<ImportOptions> = {}) {
  const outcomes: Outcome[] = [];
  const result = await importPets(await checkFile(fileOf(csv, 1000), () => undefined), {
    client: clientOf(),
    serviceUrl: inject('serviceUrl'),
    apiKeyId: '1',
    journal: new MemoryJournal(),
    onOutcome: (outcome) => outcomes.push(outcome),
    ...options,
  });
  return { ...result, outcomes };
}

/** A client whose creates a test changes. */
export function clientWith(create: (send: () => Promise<Pet>, pet: NewPet) => Promise<Pet>): ImportOptions['client'] {
  const client = clientOf({ retries: 0 });
  return { createPet: (pet: NewPet, options?: CreatePetOptions) => create(() => client.createPet(pet, options), pet) };
}

/** The response above the rate limit of the API key. */
export const rateLimited = new PetstoreApiError({
  code: 'rate_limited',
  message: 'The API key exceeded its rate limit.',
  status: 429,
  retryAfter: 1,
  requestId: undefined,
  cause: undefined,
});

/** The names of the stored animals of a category, sorted. */
export async function namesIn(categoryId: bigint): Promise<string[]> {
  return (await storedPets(categoryId)).map(({ name }) => name).toSorted();
}
