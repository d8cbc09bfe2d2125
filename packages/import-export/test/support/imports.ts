import { type NewPet, type Pet, PetstoreApiError } from '@petstore/client';
import { inject } from 'vitest';
import type { RowAnimal } from '../../src/check-rows.js';
import { type ImportRecord, newImportRecord } from '../../src/import-record.js';
import { type Outcome, type PetCreator, sendAnimals, type SendOptions } from '../../src/send-animals.js';
import { clientOf, storedPets } from './service.js';

/** Names with numbers. */
export function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `Rex ${index + 1}`);
}

/** The animals of a table with these names, from row 2. */
export function animalsOf(categoryId: bigint, names: readonly string[]): RowAnimal[] {
  return names.map((name, index) => ({ row: index + 2, name, categoryId }));
}

export function newRecord(): ImportRecord {
  const settings = { titleRows: 0, hasHeader: true, columns: [], categories: [] };
  const origin = { contentHash: 'ab', serviceUrl: inject('serviceUrl'), apiKeyId: '1' };
  return newImportRecord({ ...origin, reading: {}, settings, leftOut: [] });
}

/** Sends animals, and counts the outcomes. */
export async function send(animals: readonly RowAnimal[], options: Partial<SendOptions> = {}) {
  const outcomes: Outcome[] = [];
  const onOutcome = (outcome: Outcome) => outcomes.push(outcome);
  const result = await sendAnimals(animals, { client: clientOf(), record: newRecord(), onOutcome, ...options });
  const created = outcomes.filter(({ state }) => state === 'created');
  const earlier = created.filter((outcome) => 'isEarlier' in outcome && outcome.isEarlier).length;
  const rejected = outcomes.filter(({ state }) => state === 'rejected');
  return { ...result, created: created.length - earlier, earlier, rejected };
}

type Response = Awaited<ReturnType<ReturnType<PetCreator['createPet']>['withResponse']>>;

/** A client whose creates a test changes. */
export function clientWith(create: (send: (pet?: NewPet) => Promise<Response>, pet: NewPet) => Promise<Response>) {
  const client = clientOf({ retries: 0 });
  return {
    createPet: (pet: NewPet, options: { idempotencyKey: string }) => ({
      withResponse: () => create((changed = pet) => client.createPet(changed, options).withResponse(), pet),
    }),
  };
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
  return (await storedPets(categoryId)).map(({ name }: Pet) => name).toSorted();
}
