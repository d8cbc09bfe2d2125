import type { Pet } from '@petstore/contracts';
import { afterEach, expect, it, vi } from 'vitest';

vi.stubGlobal('addEventListener', () => undefined);
afterEach(() => vi.unstubAllGlobals());

it.each([
  [['Rex', 'Max', 'Mia'], '1 of these 3 animals is already in the store'],
  [['Rex', 'Max'], '1 of these 2 animals is already in the store'],
  [['Rex'], 'An animal with this name is already in the store'],
])('the question about %j of a litter, of which the store has Rex, counts in English', async (remaining, question) => {
  const { outcomeOf } = await import('../src/features/add/batch.js');
  const { SamePetsExist } = await import('../src/features/add/create-pet.js');
  const animal = (name: string): Pet => ({ id: 1n, name, categoryId: 7n, status: 'available' });
  const animals = ['Ada', ...remaining].map(animal);
  const error = new SamePetsExist([animal('Rex')], true);
  const batch = { id: 'litter', animals, added: [animal('Ada')], isConfirmed: false, error };
  expect(outcomeOf(batch)).toBe(question);
});
