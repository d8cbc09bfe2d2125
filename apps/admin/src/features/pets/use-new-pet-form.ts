import { useForm } from '@mantine/form';
import type { Pet } from '@petstore/contracts';
import { type SubmitEvent, useEffect, useRef } from 'react';
import { announce } from '../../shared/focus.js';
import { updateKnownPets } from '../../shared/known-pets/known-pets.js';
import { type CategoryNames, useCategoryNames } from '../../shared/store-info.js';
import { useAddPet } from './add-pet.js';
import { categoryLabel, readCategory } from './category-input.js';
import { draftRules, emptyDraft, type PetDraft, readDraft, toNewPet, writeDraft } from './pet-draft.js';
import { SamePetsExist } from './same-pets-exist.js';

export function useNewPetForm() {
  const { add, pet, error, reset } = useAddPet();
  const { names } = useCategoryNames();
  const form = useForm<PetDraft>({
    initialValues: withLabel(readDraft(), names),
    validate: draftRules(names),
    onValuesChange: (draft) => {
      writeDraft(draft);
      if (error instanceof SamePetsExist) reset();
    },
  });
  const focus = (field: string) => form.getInputNode(field)?.focus();
  const nameInput = useStart();
  const hasAdded = useRef(false);
  const submit =
    ({ isAnother = false } = {}) =>
    (event?: SubmitEvent<HTMLFormElement>) => {
      event?.preventDefault();
      // A second Enter that was meant for the last animal.
      if (hasAdded.current && !form.isDirty()) return focus('name');
      form.onSubmit(
        (draft) => add(toNewPet(draft, readCategory(draft.category, names)), { isAnother }),
        (errors) => focus(Object.keys(errors)[0] ?? 'name'),
      )(event);
    };

  // Starts the next animal.
  useEffect(() => {
    if (!pet) return;
    const next = draftAfter(pet, names);
    form.setInitialValues(next);
    form.reset();
    writeDraft(next);
    hasAdded.current = true;
    reset();
    focus('name');
    announce(`Added as number ${pet.id}`);
  });
  return { form, nameInput, focus, submit };
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
