import type { Pet } from '@petstore/contracts';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { invalidateFound, petListQuery } from '../src/features/pets/pet-queries.js';
import { findPets } from '../src/shared/known-pets/known-pets.js';

vi.mock('../src/shared/known-pets/known-pets.js', () => ({ findPets: vi.fn<typeof findPets>() }));
vi.mock('../src/shared/api.js', () => ({}));

it('a page of results is read again when the device knows more animals, also while it is read for the first time', async () => {
  const answers: ((pets: Pet[]) => void)[] = [];
  vi.mocked(findPets).mockImplementation(
    () =>
      new Promise((resolve) => {
        answers.push((pets) => resolve({ pets, count: pets.length }));
      }),
  );
  const queryClient = new QueryClient();
  const page = new QueryObserver(queryClient, petListQuery({ q: 'rex' }));
  const unsubscribe = page.subscribe(() => undefined);
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  invalidateFound(queryClient, { restarts: true });
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  const rex: Pet = { id: 1n, name: 'Rex', categoryId: 7n, status: 'available' };
  answers[0]?.([]);
  answers[1]?.([rex]);
  await vi.waitFor(() => expect(page.getCurrentResult().data?.pets).toEqual([rex]));
  unsubscribe();
});
