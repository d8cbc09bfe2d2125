import { useForm } from '@mantine/form';
import type { Pet } from '@petstore/contracts';
import { useEffect, useEffectEvent } from 'react';
import { emptyDraft, storeDraft } from './draft-storage.js';
import { categoryError, nameError, type PetDraft } from './pet-rules.js';
import { useAddPet } from './use-add-pet.js';

export interface NewPetFormProps {
  start: PetDraft;
  /** Whether `start` is what was left here earlier. */
  isRestored: boolean;
  /** Whether it goes on from an animal that was added. */
  isAnother: boolean;
  onAdded: (pet: Pet) => void;
}

const fields = ['name', 'category'] as const;
type Field = (typeof fields)[number];

/** What the form holds, what is wrong in it, and what its buttons do. */
export function useNewPetForm({ start, isAnother, onAdded }: NewPetFormProps) {
  const form = useForm<PetDraft>({
    initialValues: start,
    validate: { name: nameError, category: categoryError },
    onValuesChange: storeDraft,
  });
  const adding = useAddPet(onAdded);
  const focus = (field: Field) => form.getInputNode(field)?.focus();
  const begin = useEffectEvent(() => {
    if (isAnother) focus('name');
  });
  useEffect(() => begin(), []);

  const checked = (add: (draft: PetDraft) => void) =>
    form.onSubmit(add, (found) => focus(fields.find((field) => found[field] !== undefined) ?? 'name'));
  const submit = checked(adding.add);
  const addAnyway = checked(adding.addAnyway);
  const clear = () => {
    form.setValues(emptyDraft);
    form.clearErrors();
    focus('name');
  };
  const faults = fields.flatMap((field) => {
    const fault = form.errors[field];
    return typeof fault === 'string' ? [{ field, fault, choose: () => focus(field) }] : [];
  });
  return { form, faults, adding, submit, addAnyway, clear };
}
