import { Button, Group } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { maxUnnamedCategories } from '@petstore/contracts';
import { useState } from 'react';
import { refreshMs } from '../../shared/api.js';
import { categoryLabel } from '../../shared/category-input.js';
import { useCategoryNames, useLiveCategories } from '../../shared/store-info.js';
import { Question } from './add-problem.js';
import { useAddPet } from './add-provider.js';
import type { Animal } from './create-pet.js';
import type { PetDraft } from './pet-draft.js';

/** A category that the person has to confirm before the animals are added. */
export interface AskedCategory {
  id: bigint;
  add: () => void;
}

/** In a store with named categories, a number without a name and without animals is hardly ever meant. */
export function useNewCategory(form: UseFormReturnType<PetDraft>) {
  const { names } = useCategoryNames();
  const { data: categories = [] } = useLiveCategories(refreshMs);
  const { add, added, queue } = useAddPet();
  const [asked, setAsked] = useState<AskedCategory>();
  const isKnown = (id: bigint) =>
    names.size === 0 ||
    // The service does not list every category of such a store.
    categories.length >= names.size + maxUnnamedCategories ||
    [...categories.map((category) => category.id), ...added.map(({ categoryId }) => categoryId)].includes(id) ||
    queue.some(({ animals }) => animals[0]?.categoryId === id);
  const addAnyway = (animals: readonly Animal[], onAdd: () => void) => {
    add(animals);
    onAdd();
  };
  return {
    /** The category that the person is asked about. */
    asked,
    forget: () => setAsked(undefined),
    /** Adds animals of one category, or asks first. */
    add: (animals: readonly Animal[], onAdd: () => void) => {
      const id = animals[0]?.categoryId;
      if (id === undefined || isKnown(id)) return addAnyway(animals, onAdd);
      // As the field does when it loses the focus: a change ends the question.
      form.setFieldValue('category', categoryLabel(id, names));
      setAsked({ id, add: () => addAnyway(animals, onAdd) });
    },
  };
}

interface NewCategoryQuestionProps {
  newCategory: ReturnType<typeof useNewCategory>;
  onCancel: () => void;
}

export function NewCategoryQuestion({ newCategory: { asked, forget }, onCancel }: NewCategoryQuestionProps) {
  if (!asked) return null;
  const answer = (act: () => void) => {
    forget();
    act();
  };
  return (
    <Question title={`No animal is in category ${asked.id}, and it has no name. Add it anyway?`} takesFocus>
      <Group gap="sm">
        <Button onClick={() => answer(onCancel)}>Change the category</Button>
        <Button variant="default" onClick={() => answer(asked.add)}>
          Add it anyway
        </Button>
      </Group>
    </Question>
  );
}
