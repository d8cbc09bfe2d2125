import { Autocomplete, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useCategoryNames } from '../../shared/store-info.js';
import { categoryLabel, readCategory } from './category-input.js';
import type { PetDraft } from './pet-draft.js';

/** Accepts a number, and also a name if the store has category names. A list below the field shows the matching names. */
export function CategoryField({ form }: { form: UseFormReturnType<PetDraft> }) {
  const { names } = useCategoryNames();
  const { onBlur, ...props } = form.getInputProps('category') as { onBlur?: () => void; value: string };
  const input = { ...props, autoComplete: 'off', maw: '24rem', 'aria-required': true };
  // Replaces the text with the label of the category that it names.
  const showLabel = () => {
    const id = readCategory(props.value, names);
    if (id !== undefined && form.values.category === props.value)
      form.setFieldValue('category', categoryLabel(id, names));
    onBlur?.();
  };
  if (names.size === 0) return <TextInput label="Category number" inputMode="numeric" onBlur={showLabel} {...input} />;
  return (
    <Autocomplete
      label="Category"
      description="Type a name or a number."
      data={[...names.keys()].map((id) => categoryLabel(id, names))}
      // A typed number may be a category without a name: only a typed name selects.
      selectFirstOptionOnChange={/^\p{L}/u.test(props.value)}
      openOnFocus={false}
      // Accessibility: all content must be inside a landmark.
      comboboxProps={{ withinPortal: false }}
      limit={50}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={showLabel}
      {...input}
    />
  );
}
