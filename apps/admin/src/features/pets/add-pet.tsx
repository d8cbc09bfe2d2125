import type { NewPet, Pet } from '@petstore/contracts';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useRef, useState } from 'react';
import { addKnownPet } from '../../shared/known-pets/known-pets.js';
import { createPet, isRetry, removeAttempt } from './create-pet.js';
import { removeDraft } from './pet-draft.js';
import { cacheNewPet } from './pet-queries.js';
import { checkSamePets } from './add-checks.js';

/** Keeps the page fast. */
const maxAdded = 100;

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
  /** The names and categories of which the person wanted another animal. */
  const confirmed = useRef(new Set<string>());
  const mutation = useMutation({
    mutationFn: (animal: NewPet | Pet) => addOnce(animal, queryClient, confirmed.current),
  });
  const [added, setAdded] = useState<readonly Pet[]>([]);
  // A ref, not state: a second submit may come before the next render, also after the answer.
  const isBusy = useRef(false);

  const add = (animal: NewPet | Pet, { isAnother = false } = {}) => {
    if (isBusy.current) return;
    isBusy.current = true;
    if (isAnother) {
      removeAttempt();
      confirmed.current.add(nameAndCategory(animal));
    }
    // These callbacks do not run once the person has signed out.
    mutation.mutate(animal, {
      onSuccess: (pet) => {
        finish(pet, queryClient);
        setAdded((earlier) => [pet, ...earlier.filter(({ id }) => id !== pet.id)].slice(0, maxAdded));
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
    /**
     * Adds an animal, or accepts one that the service already has. `isAnother`: neither a retry of the last attempt nor
     * an animal that the store already has.
     */
    add,
    /** Forgets the outcome. */
    reset,
    isPending,
    error,
    /** The new animal, until `reset`. */
    pet,
    /** The animals that this tab has added, newest first. */
    added,
    name: variables?.name ?? '',
  };
}

async function addOnce(animal: NewPet | Pet, queryClient: QueryClient, confirmed: Set<string>): Promise<Pet> {
  if ('id' in animal) return animal;
  if (!confirmed.has(nameAndCategory(animal)) && !isRetry(animal)) await checkSamePets(animal, queryClient);
  return createPet(animal, queryClient);
}

function finish(pet: Pet, queryClient: QueryClient): void {
  removeAttempt();
  removeDraft();
  cacheNewPet(pet, queryClient);
  addKnownPet(pet);
}

function nameAndCategory({ name, categoryId }: NewPet): string {
  return `${categoryId} ${name}`;
}
