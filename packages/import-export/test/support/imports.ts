import { newIdempotencyKey, type NewPet, type Pet, PetstoreApiError } from '@petstore/client';
import type { RowAnimal } from '../../src/check-rows.js';
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

/** Different keys for each import. */
export function newKeys(): SendOptions['keyOf'] {
  const importId = newIdempotencyKey();
  return ({ row }) => `${importId}-${row}`;
}

/** Sends animals, and counts the outcomes. */
export async function send(animals: readonly RowAnimal[], options: Partial<SendOptions> = {}) {
  const outcomes: Outcome[] = [];
  const onOutcome = (outcome: Outcome) => outcomes.push(outcome);
  const result = await sendAnimals(animals, { client: clientOf(), keyOf: newKeys(), onOutcome, ...options });
  const created = outcomes.filter(({ state }) => state === 'created').length;
  const rejected = outcomes.filter(({ state }) => state === 'rejected');
  return { ...result, created, rejected };
}

/** A client whose creates a test changes. */
export function clientWith(create: (send: (pet?: NewPet) => Promise<Pet>, pet: NewPet) => Promise<Pet>): PetCreator {
  const client = clientOf({ retries: 0 });
  return {
    createPet: (pet, options) => create((changed = pet) => client.createPet(changed, options), pet),
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
