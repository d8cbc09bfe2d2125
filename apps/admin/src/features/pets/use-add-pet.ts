import type { Pet } from '@petstore/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type AddOutcome, tellInForm } from './add-outcome.js';
import { addPet, isAddPending, settleAdded } from './add-pet.js';
import { forgetAttempt } from './attempt-storage.js';
import { newPetOf, type PetDraft } from './pet-rules.js';

/** Adds an animal, once however often it is asked to. */
export function useAddPet(onAdded: (pet: Pet) => void) {
  const queryClient = useQueryClient();
  const [isAdding, setIsAdding] = useState(isAddPending);
  const [error, setError] = useState<unknown>();
  // A state would tell of the first click only after the next rendering.
  const isBusy = useRef(isAdding);

  const tell = useEffectEvent((outcome: AddOutcome): boolean => {
    if ('pet' in outcome) {
      // Not of an animal that came in before: the form is there for another one.
      if (isBusy.current) onAdded(outcome.pet);
      return isBusy.current;
    }
    setError(outcome.error);
    setIsAdding(false);
    // Not once it is added: the form is about to go, and a click that comes before that must do nothing.
    isBusy.current = false;
    return true;
  });
  useEffect(() => tellInForm((outcome) => tell(outcome)), []);

  const add = (draft: PetDraft) => {
    if (isBusy.current) return;
    const newPet = newPetOf(draft);
    isBusy.current = true;
    setIsAdding(true);
    setError(undefined);
    addPet(newPet, queryClient);
  };
  const addAnyway = (draft: PetDraft) => {
    // Not the attempt that is on its way.
    if (!isBusy.current) forgetAttempt();
    add(draft);
  };
  const take = (pet: Pet) => onAdded(settleAdded(pet, queryClient));
  return { add, addAnyway, take, isAdding, error };
}
