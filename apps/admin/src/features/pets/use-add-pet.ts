import type { Pet } from '@petstore/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ask } from '../../shared/petstore.js';
import { attemptAt, forgetDraft } from './draft-storage.js';
import { rememberAdded } from './pet-queries.js';
import { newPetOf, type PetDraft } from './pet-rules.js';

/** Adds an animal, once however often it is asked to. */
export function useAddPet(onAdded: (pet: Pet) => void) {
  const queryClient = useQueryClient();
  const [isAdding, setIsAdding] = useState(false);
  const [error, setError] = useState<unknown>();
  // A state would tell of the first click only after the next rendering.
  const isBusy = useRef(false);

  const add = async (draft: PetDraft) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setIsAdding(true);
    setError(undefined);
    try {
      const newPet = newPetOf(draft);
      const { key } = attemptAt(newPet);
      const pet = await ask((client) => client.createPet(newPet, { idempotencyKey: key }));
      forgetDraft();
      rememberAdded(pet, queryClient);
      onAdded(pet);
    } catch (failure) {
      setError(failure);
      setIsAdding(false);
      // Not once it is added: the form is about to go, and a click that comes before that must do nothing.
      isBusy.current = false;
    }
  };
  return { add, isAdding, error };
}
