import type { PetstoreClient } from '@petstore/client';
import type { NewPet, Pet } from '@petstore/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { ask } from '../../shared/petstore.js';
import { currentSession, onSession } from '../../shared/session.js';
import { isRefusal, MayBeAdded, OutcomeUnknown } from './add-errors.js';
import { type AddOutcome, forgetOutcome, tellOutcome } from './add-outcome.js';
import { type Attempt, attemptAt, forgetAttempt, storeAttempt } from './attempt-storage.js';
import { forgetDraft } from './draft-storage.js';
import { newestKnown, rememberAdded } from './pet-queries.js';

let pending: Promise<Pet> | undefined;
onSession(() => {
  if (!currentSession()) pending = undefined;
});

/** Whether an animal is on its way to the service: also when its form was left, and is there again. */
export function isAddPending(): boolean {
  return pending !== undefined;
}

/**
 * Adds an animal, once however often it is tried: a further attempt with the same API key is recognised by the service,
 * and before one with another API key it is looked whether the animal is there. How it ended is told.
 */
export function addPet(newPet: NewPet, queryClient: QueryClient): void {
  const adding = send(newPet, queryClient).then((pet) => settleAdded(pet, queryClient));
  pending = adding;
  forgetOutcome();
  const end = (outcome: AddOutcome) => {
    // Whoever signed in meanwhile has nothing to do with it.
    if (pending !== adding) return;
    pending = undefined;
    tellOutcome(outcome);
  };
  adding.then(
    (pet) => end({ pet }),
    (error: unknown) => end({ name: newPet.name, error }),
  );
}

/** What is known to be added needs no draft, and no further attempt. */
export function settleAdded(pet: Pet, queryClient: QueryClient): Pet {
  forgetAttempt();
  forgetDraft();
  rememberAdded(pet, queryClient);
  return pet;
}

/**
 * @throws MayBeAdded when it looks as if it were, OutcomeUnknown when that cannot be said; what the client throws when it was
 * not added.
 */
async function send(newPet: NewPet, queryClient: QueryClient): Promise<Pet> {
  let isEarlierOpen = false;
  try {
    return await ask(async (client, mark) => {
      const attempt = attemptAt(newPet, newestKnown(queryClient));
      isEarlierOpen = attempt.sentBy !== undefined && attempt.sentBy !== mark;
      if (isEarlierOpen) {
        const twin = await findTwin(client, newPet, attempt);
        if (twin) throw new MayBeAdded(twin);
        isEarlierOpen = false;
      }
      storeAttempt({ ...attempt, sentBy: mark });
      return client.createPet(newPet, { idempotencyKey: attempt.key });
    });
  } catch (error) {
    if (error instanceof OutcomeUnknown || (isRefusal(error) && !isEarlierOpen)) throw error;
    throw new OutcomeUnknown(error);
  }
}

/** Among the latest hundred of its status: the attempt was made in this tab, not long ago. */
async function findTwin(client: PetstoreClient, newPet: NewPet, { above }: Attempt): Promise<Pet | undefined> {
  const { name, categoryId, status } = newPet;
  const { pets } = await client.listPets({ status, limit: 100, order: 'desc' }).page();
  return pets.find((pet) => pet.id > BigInt(above) && pet.name === name && pet.categoryId === categoryId);
}
