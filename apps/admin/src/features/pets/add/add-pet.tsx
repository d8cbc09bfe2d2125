import { Alert, Loader } from '@mantine/core';
import type { NewPet, Pet } from '@petstore/contracts';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useMatch } from '@tanstack/react-router';
import { createContext, type ReactNode, use, useEffect, useRef, useState } from 'react';
import { useFocusFallback } from '../../../shared/focus.js';
import { AlertIcon, CheckIcon } from '../../../shared/icons.js';
import { PetLink } from '../../../shared/links.js';
import { addKnownPet } from '../../../shared/known-pets/known-pets.js';
import {
  checkSamePets,
  createPet,
  hasStoredAttempt,
  OutcomeUnknown,
  PartlyAdded,
  removeAttempt,
} from './create-pet.js';
import { removeDraftOf } from './pet-draft.js';
import { PetName } from '../pet-parts.js';
import { cacheNewPets } from '../pet-queries.js';
import classes from './add.module.css';

const loadLitter = () => import('./litter.js');

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

interface AddTask {
  /** What other pages call the animals. */
  name: string;
  run: () => Promise<readonly Pet[]>;
}

function useAddPetMutation() {
  const queryClient = useQueryClient();
  /** The names and categories of which the person wanted another animal. */
  const confirmed = useRef(new Set<string>());
  const mutation = useMutation({ mutationFn: ({ run }: AddTask) => run() });
  const { added, noteAdded } = useAdded();
  const [last, setLast] = useState<readonly Pet[]>([]);
  // A ref, not state: a second submit may come before the next render, also after the answer.
  const isBusy = useRef(false);

  const start = (task: AddTask) => {
    if (isBusy.current) return;
    isBusy.current = true;
    // These callbacks do not run once the person has signed out.
    mutation.mutate(task, {
      onSuccess: (pets) => {
        removeAttempt();
        cacheNewPets(pets, queryClient);
        for (const pet of pets) {
          removeDraftOf(pet);
          noteAdded(pet);
        }
        setLast(pets);
      },
      onError: (error) => {
        isBusy.current = false;
        if (error instanceof PartlyAdded) cacheNewPets([], queryClient);
      },
    });
  };
  const { isPending, error, data: pets, variables } = mutation;
  return {
    /** Adds an animal, or a litter. `isAnother`: neither a retry of the last attempt nor animals that the store has. */
    add: (animals: readonly Omit<Pet, 'id'>[], { isAnother = false } = {}) => {
      if (isAnother && !isBusy.current) {
        removeAttempt();
        for (const animal of animals) confirmed.current.add(nameAndCategory(animal));
      }
      const name = animals.length > 1 ? `${animals[0]?.name} … ${animals.at(-1)?.name}` : (animals[0]?.name ?? '');
      start({ name, run: () => addAnimals(animals, { queryClient, confirmed: confirmed.current, noteAdded }) });
    },
    /** Takes an animal that the service already has as the new one. */
    accept: (pet: Pet) => start({ name: pet.name, run: async () => [pet] }),
    /** Adds the others of a litter that was interrupted. */
    continueLitter: (name: string) => start({ name, run: async () => (await loadLitter()).continueLitter(noteAdded) }),
    /** Forgets the outcome. */
    reset: () => {
      isBusy.current = false;
      mutation.reset();
    },
    isPending,
    error,
    /** The new animals, until `reset`. */
    pets,
    /** The animals that this tab has added, newest first. */
    added,
    /** Those of the last form. */
    last,
    name: variables?.name ?? '',
  };
}

function useAdded() {
  const [added, setAdded] = useState<readonly Pet[]>([]);
  const noteAdded = (pet: Pet) => {
    addKnownPet(pet);
    setAdded((earlier) => [pet, ...earlier.filter(({ id }) => id !== pet.id)].slice(0, maxAdded));
  };
  return { added, noteAdded };
}

interface AddOptions {
  queryClient: QueryClient;
  confirmed: ReadonlySet<string>;
  noteAdded: (pet: Pet) => void;
}

async function addAnimals(
  animals: readonly Omit<Pet, 'id'>[],
  { queryClient, confirmed, noteAdded }: AddOptions,
): Promise<readonly Pet[]> {
  const [only, another] = animals;
  const isSingle = only !== undefined && another === undefined;
  const unconfirmed = animals.filter((animal) => !confirmed.has(nameAndCategory(animal)));
  if (unconfirmed.length > 0 && !(isSingle && hasStoredAttempt(only))) await checkSamePets(unconfirmed, queryClient);
  if (isSingle) return [await createPet(only, queryClient)];
  return (await loadLitter()).addLitter(animals, noteAdded);
}

function nameAndCategory({ name, categoryId }: NewPet): string {
  return `${categoryId} ${name}`;
}

/** The progress and the outcome of an animal whose form was left before the answer, on any other page. */
export function AddNotice() {
  const { pets, error, isPending, name, reset } = useAddPet();
  const isFormOpen = useMatch({ from: '/pets/new', shouldThrow: false }) !== undefined;
  const [wasSeen, setWasSeen] = useState(false);
  // The form shows the outcome itself.
  const isSeen = Boolean(pets ?? error) && (isFormOpen || wasSeen);
  if (isSeen !== wasSeen) setWasSeen(isSeen);
  useEffect(() => {
    if (isSeen && !isFormOpen) reset();
  });
  return (
    <div role="status" className="container">
      {Boolean(pets ?? error) && !isSeen && <Notice />}
      {isPending && !isFormOpen && (
        <Alert role="group" className={classes.notice} mt="md" icon={<Loader size="1.25rem" />} title="Still adding">
          <PetName name={name} />
        </Alert>
      )}
    </div>
  );
}

function Notice() {
  const { pets, error, name, reset } = useAddPet();
  const ref = useFocusFallback<HTMLDivElement>();
  return (
    <Alert
      ref={ref}
      role="group"
      className={classes.notice}
      mt="md"
      color={pets ? 'spruce' : 'red'}
      icon={pets ? <CheckIcon /> : <AlertIcon />}
      title={
        pets ? (
          <AddedTitle pets={pets} />
        ) : (
          <>
            {error instanceof OutcomeUnknown || error instanceof PartlyAdded ? error.message : 'Not added'}.{' '}
            <Link to="/pets/new">Go back to the form</Link>
          </>
        )
      }
      withCloseButton
      closeButtonLabel="Close message"
      onClose={reset}
    >
      <PetName name={name} />
    </Alert>
  );
}

function AddedTitle({ pets }: { pets: readonly Pet[] }) {
  const { reset } = useAddPet();
  const [first, another] = pets;
  if (!first || another) return `Added ${pets.length} animals`;
  return (
    <PetLink id={first.id} onClick={reset}>
      Added as number {String(first.id)}
    </PetLink>
  );
}
