import { Box, Button, Chip, Group, Input } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { petStatuses } from '@petstore/contracts';
import { type FocusEvent, useState } from 'react';
import { CategoryField } from '../../shared/category-field.js';
import { categoryLabels } from '../../shared/category-input.js';
import { CellInput } from '../../shared/cell-input.js';
import { statusLabels } from '../../shared/format.js';
import { PetName } from '../../shared/pet-parts.js';
import { useCategoryNames } from '../../shared/store-info.js';
import { batchName } from './batch.js';
import { draftNames, type PetDraft } from './pet-draft.js';
import classes from './add.module.css';

interface FieldProps {
  form: UseFormReturnType<PetDraft>;
}

interface SelectingFieldProps extends FieldProps {
  onFocus: (event: FocusEvent<HTMLInputElement>) => void;
}

export function NameField({ form, onCells }: FieldProps & { onCells: (text: string) => void }) {
  return (
    <CellInput
      onCells={onCells}
      label="Name"
      maxLength={1000}
      autoComplete="off"
      dir="auto"
      aria-required
      {...form.getInputProps('name')}
    />
  );
}

/** More categories than this are a list to search. */
const maxChips = 8;

/** A few categories are a choice. Another one, which has no name, is a number. */
export function CategoryChoice({ form, onFocus }: SelectingFieldProps) {
  const { names } = useCategoryNames();
  const labels = [...categoryLabels(names).values()];
  const { value, onChange: _, ...props } = form.getInputProps('category') as { value: string; onChange: () => void };
  const [isOther, setIsOther] = useState(false);
  // An animal that returns to the form may have such a category too: the person must see it.
  if (!isOther && value !== '' && !labels.includes(value)) setIsOther(true);
  const change = (text: string) => form.setFieldValue('category', text);
  if (names.size === 0 || names.size > maxChips || isOther)
    return <CategoryField value={value} onChange={change} {...props} onFocus={onFocus} aria-required />;
  const { error, ...input } = props as { error?: string };
  return (
    <fieldset aria-describedby="category-error">
      <legend>Category</legend>
      <Group gap="xs">
        <Chips
          name="category"
          choices={labels.map((label) => [label, label])}
          value={value}
          onChange={change}
          {...input}
        />
        <Button variant="subtle" size="sm" px="sm" onClick={() => setIsOther(true)}>
          Another number
        </Button>
      </Group>
      <Input.Error id="category-error" mt={4}>
        {error}
      </Input.Error>
    </fieldset>
  );
}

export function StatusField({ form }: FieldProps) {
  return (
    <fieldset>
      <legend>Status</legend>
      <Group gap="xs">
        <Chips
          name="status"
          choices={petStatuses.map((status) => [status, statusLabels[status]])}
          value={form.values.status}
          onChange={(status) => form.setFieldValue('status', status as PetDraft['status'])}
        />
      </Group>
    </fieldset>
  );
}

interface ChipsProps {
  name: string;
  choices: (readonly [value: string, label: string])[];
  value: string;
  onChange: (value: string) => void;
}

/** Radio buttons that look like buttons. The first one has the other properties, such as those that find the field. */
function Chips({ name, choices, value, onChange, ...input }: ChipsProps) {
  return (
    <Chip.Group value={value} onChange={(chosen) => onChange(chosen)}>
      {choices.map(([choice, label], index) => (
        <Chip key={choice} radius="md" name={name} value={choice} className={classes.chip} {...(index === 0 && input)}>
          <bdi>{label}</bdi>
        </Chip>
      ))}
    </Chip.Group>
  );
}

export function CountField({ form, onFocus }: SelectingFieldProps) {
  const names = draftNames(form.values);
  return (
    <Group gap="0.25rem 1rem" align="end">
      <CellInput
        label="How many?"
        inputMode="numeric"
        maxLength={1000}
        autoComplete="off"
        w="6.5rem"
        {...form.getInputProps('count')}
        onFocus={onFocus}
      />
      {names.length > 1 && form.values.name !== '' && (
        <Box component="span" className="note" py="0.625rem">
          <PetName name={batchName(names.map((name) => ({ name })))} />
        </Box>
      )}
    </Group>
  );
}
