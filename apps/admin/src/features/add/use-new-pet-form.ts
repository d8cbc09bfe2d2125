import { useForm } from '@mantine/form';
import { trimName } from '@petstore/contracts';
import { type KeyboardEvent, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { type CategoryNames, useCategoryNames } from '../../shared/store-info.js';
import { categoryLabel, readCategory } from '../../shared/category-input.js';
import { useAddPet } from './add-provider.js';
import type { Batch } from './add-queue.js';
import { useNewCategory } from './new-category.js';
import { usePastedCells } from './pasted-cells.js';
import {
  draftAfter,
  draftNames,
  draftOf,
  draftRules,
  emptyDraft,
  type PetDraft,
  readDraft,
  toNewPets,
  writeDraft,
} from './pet-draft.js';
import { useScannedCode } from './scanned-code.js';

export function useNewPetForm() {
  const { remove } = useAddPet();
  const { names } = useCategoryNames();
  const scan = useScannedCode();
  const form = useForm<PetDraft>({
    initialValues: withLabel(readDraft(), names),
    validate: draftRules(names),
    onValuesChange: (draft) => {
      writeDraft(draft);
      scan.forget();
      newCategory.forget();
    },
  });
  const newCategory = useNewCategory(form);
  const focus = (field: string) => form.getInputNode(field)?.focus();
  const nameInput = useStart();
  const hasAdded = useRef(false);
  /** Replaces what the form has. */
  const fill = (draft: PetDraft) => {
    form.setValues(draft);
    form.clearErrors();
    focus('name');
  };
  const submit = (event?: SubmitEvent<HTMLFormElement>) => {
    event?.preventDefault();
    // A second Enter that was meant for the last animal.
    if (hasAdded.current && !form.isDirty()) return focus('name');
    if (scan.handle(form)) return;
    form.onSubmit(
      (draft) => {
        const animals = toNewPets(draft, readCategory(draft.category, names));
        newCategory.add(animals, () => {
          const next = draftAfter(animals[0], names);
          form.setInitialValues(next);
          hasAdded.current = true;
          fill(next);
        });
      },
      (errors) => focus(Object.keys(errors)[0] ?? 'name'),
    )(event);
  };
  /** Moves animals that were not added into the form, unless it has another animal. */
  const change = (batch: Batch) => {
    if (trimName(form.getValues().name) !== '') {
      form.setFieldError('name', 'First add this animal, or clear its name');
      return focus('name');
    }
    remove(batch);
    const draft = draftOf(batch.animals, names);
    const list = batch.animals.map(({ name }) => name);
    const isList = draftNames(draft).join('\n') !== list.join('\n');
    fill(isList ? { ...emptyDraft, category: draft.category, status: draft.status } : draft);
    if (isList) pasted.askAgain(list);
  };
  const pasted = usePastedCells({ form, focus, names, add: newCategory.add });
  return { form, nameInput, focus, fill, submit, change, scan, newCategory, pasted, onKeyDown: useQuietStart() };
}

/** Enter does nothing for so long after the form has opened: a scanner may have opened it. */
const quietMs = 1000;

function useQuietStart() {
  const [openedAt] = useState(() => performance.now());
  return (event: KeyboardEvent) => {
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement && event.timeStamp - openedAt < quietMs) {
      event.preventDefault();
    }
  };
}

/** Typing can start at once. */
function useStart() {
  const nameInput = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (document.activeElement?.matches('body, h1, #find:placeholder-shown')) nameInput.current?.focus();
  }, []);
  return nameInput;
}

function withLabel(draft: PetDraft, names: CategoryNames): PetDraft {
  const id = readCategory(draft.category, names);
  return id === undefined ? draft : { ...draft, category: categoryLabel(id, names) };
}
