import type { NewPet, Pet } from '@petstore/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { findSamePets } from '../../shared/known-pets/known-pets.js';
import { cachedPets } from './pet-queries.js';

/** The store has animals with the name and category of the new one. The person decides: nothing can be deleted later. */
export class SamePetsExist extends Error {
  constructor(readonly pets: readonly [Pet, ...Pet[]]) {
    super('An animal with this name is already in the store');
  }
}

/** The worker that knows the animals may be missing, for example when its code did not load. */
const maxWaitMs = 500;

/** @throws SamePetsExist */
export async function checkSamePets({ name, categoryId }: NewPet, queryClient: QueryClient): Promise<void> {
  const cached = cachedPets(queryClient).filter((pet) => pet.name === name && pet.categoryId === categoryId);
  const known = await Promise.race([findSamePets(name, categoryId), sleep(maxWaitMs)]);
  const [first, ...others] = new Map([...cached, ...(known ?? [])].map((pet) => [pet.id, pet])).values();
  if (first) throw new SamePetsExist([first, ...others]);
}

function sleep(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms);
  });
}
