import { useForm, type UseFormReturnType } from '@mantine/form';
import type { Pet } from '@petstore/contracts';
import { type RefObject, type SubmitEvent, useEffect, useRef } from 'react';
import { announce } from '../../../shared/focus.js';
import { updateKnownPets } from '../../../shared/known-pets/known-pets.js';
import { type CategoryNames, useCategoryNames } from '../../../shared/store-info.js';
import { useAddPet } from './add-pet.js';
import { categoryLabel, readCategory } from '../category-input.js';
import { NotCompared, SamePetsExist } from './create-pet.js';
import { useLitter } from './litter.js';
import { draftNames, draftRules, emptyDraft, type PetDraft, readDraft, toNewPets, writeDraft } from './pet-draft.js';
import { useScannedCode } from './scanned-code.js';

interface SubmitOptions {
  isAnother?: boolean;
  /** The names of a litter to leave out. */
  except?: readonly string[];
}

export function useNewPetForm() {
  const { add, error, reset } = useAddPet();
  const { names } = useCategoryNames();
  const litter = useLitter();
  const scan = useScannedCode();
  const form = useForm<PetDraft>({
    initialValues: withLabel(readDraft(), names),
    validate: draftRules(names),
    onValuesChange: (draft) => {
      writeDraft(draft);
      scan.forget();
      if (error instanceof SamePetsExist || error instanceof NotCompared) reset();
    },
  });
  const focus = (field: string) => form.getInputNode(field)?.focus();
  const nameInput = useStart();
  const hasAdded = useNextAnimal(form, names);
  const submit =
    ({ isAnother = false, except = [] }: SubmitOptions = {}) =>
    (event?: SubmitEvent<HTMLFormElement>) => {
      event?.preventDefault();
      // A second Enter that was meant for the last animal.
      if (hasAdded.current && !form.isDirty()) return focus('name');
      if (scan.handle(form)) return;
      if (litter && draftNames(form.values).length > 1) {
        form.setFieldError('count', 'First answer the question above about the animals that were interrupted');
        return focus('count');
      }
      form.onSubmit(
        (draft) => {
          const animals = toNewPets(draft, readCategory(draft.category, names));
          add(
            animals.filter(({ name }) => !except.includes(name)),
            { isAnother },
          );
        },
        (errors) => focus(Object.keys(errors)[0] ?? 'name'),
      )(event);
    };
  return { form, nameInput, focus, submit, scan };
}

/** "Added as number 7", "Added 6 animals, numbers 7 to 12" */
export function addedText(pets: readonly Pet[]): string {
  const [first = 0n, last = first] = [pets[0]?.id, pets.at(-1)?.id];
  if (pets.length === 1) return `Added as number ${first}`;
  // Another device may have added some in between.
  const isInRow = last - first + 1n === BigInt(pets.length);
  return `Added ${pets.length} animals${isInRow ? `, numbers ${first} to ${last}` : ''}`;
}

/** Empties the form for the next animal when one was added. Returns whether one was. */
function useNextAnimal(form: UseFormReturnType<PetDraft>, names: CategoryNames): RefObject<boolean> {
  const { pets, reset } = useAddPet();
  const hasAdded = useRef(false);
  useEffect(() => {
    const pet = pets?.at(-1);
    if (!pets || !pet) return;
    // The rest of a litter may have been added while the form has another animal.
    if (draftNames(form.values).includes(pet.name)) {
      const next = draftAfter(pet, names);
      form.setInitialValues(next);
      form.reset();
      writeDraft(next);
      hasAdded.current = true;
    }
    reset();
    form.getInputNode('name')?.focus();
    announce(addedText(pets));
  });
  return hasAdded;
}

/** Typing can start at once. The warning about the same animals needs all of them. */
function useStart() {
  const nameInput = useRef<HTMLInputElement>(null);
  useEffect(() => {
    void updateKnownPets();
    if (document.activeElement?.matches('body, h1')) nameInput.current?.focus();
  }, []);
  return nameInput;
}

function withLabel(draft: PetDraft, names: CategoryNames): PetDraft {
  const id = readCategory(draft.category, names);
  return id === undefined ? draft : { ...draft, category: categoryLabel(id, names) };
}

function draftAfter({ categoryId, status }: Pet, names: CategoryNames): PetDraft {
  return { ...emptyDraft, category: categoryLabel(categoryId, names), status };
}
