import type { NewPet, Pet } from '@petstore/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useRef } from 'react';
import { removeAttempt } from './create-attempt.js';
import { createPet } from './create-pet.js';
import { removeDraft } from './pet-draft.js';
import { cacheNewPet } from './pet-queries.js';

type AddPet = ReturnType<typeof useAddPetMutation>;

const AddPetContext = createContext<AddPet | undefined>(undefined);

/** Holds the mutation above all pages: an animal may still be on its way when its form was left. */
export function AddPetProvider({ children }: { children: ReactNode }) {
  const addPet = useAddPetMutation();
  return <AddPetContext value={addPet}>{children}</AddPetContext>;
}

export function useAddPet(): AddPet {
  const addPet = use(AddPetContext);
  if (!addPet) throw new Error('useAddPet needs an AddPetProvider');
  return addPet;
}

function useAddPetMutation() {
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: async (animal: NewPet | Pet) => ('id' in animal ? animal : createPet(animal, queryClient)),
  });
  // A ref, not state: a second submit may come before the next render, also after the answer.
  const isBusy = useRef(false);

  const add = (animal: NewPet | Pet, { isAnother = false } = {}) => {
    if (isBusy.current) return;
    isBusy.current = true;
    if (isAnother) removeAttempt();
    // These callbacks do not run once the person has signed out.
    mutation.mutate(animal, {
      onSuccess: (pet) => {
        removeAttempt();
        removeDraft();
        cacheNewPet(pet, queryClient);
      },
      onError: () => {
        isBusy.current = false;
      },
    });
  };
  const reset = () => {
    isBusy.current = false;
    mutation.reset();
  };
  const { isPending, error, data: pet, variables } = mutation;
  return {
    /** Adds an animal, or accepts one that the service already has. `isAnother`: not a retry of the last attempt. */
    add,
    /** Forgets the outcome. */
    reset,
    isPending,
    error,
    pet,
    name: variables?.name ?? '',
  };
}
