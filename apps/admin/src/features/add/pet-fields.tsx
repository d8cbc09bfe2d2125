import { Button, Group, Input } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { petStatuses, trimName } from '@petstore/contracts';
import { type ComponentType, type FocusEvent, Fragment, type ReactNode, type RefObject, useState } from 'react';
import { CategoryField } from '../../shared/category-field.js';
import { CellInput } from '../../shared/cell-input.js';
import { statusLabels } from '../../shared/format.js';
import { useCategoryNames } from '../../shared/store-info.js';
import { categoryLabels } from '../../shared/category-input.js';
import { draftNames, type PetDraft } from './pet-draft.js';
import classes from './add.module.css';

interface FieldProps {
  form: UseFormReturnType<PetDraft>;
  nameInput: RefObject<HTMLInputElement | null>;
  /** For the fields whose text is selected when they get the focus. */
  onFocus: (event: FocusEvent<HTMLInputElement>) => void;
  /** Receives the text of several cells that were pasted into the name. */
  onCells: (text: string) => void;
}

/** In the order of the form. A field that is added to the draft does not compile until it is here. */
const fields: Record<keyof PetDraft, ComponentType<FieldProps>> = {
  name: NameField,
  category: CategoryChoice,
  status: StatusField,
  count: CountField,
};

/** `children` follow the name, which keeps its place while the person types. */
export function PetFields({ children, ...props }: FieldProps & { children: ReactNode }) {
  return Object.entries(fields).map(([name, Field]) => (
    <Fragment key={name}>
      <Field {...props} />
      {name === 'name' && children}
    </Fragment>
  ));
}

function NameField({ form, nameInput, onCells }: FieldProps) {
  return (
    <CellInput
      ref={nameInput}
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

function StatusField({ form }: FieldProps) {
  return (
    <fieldset>
      <legend>Status</legend>
      <Button.Group maw="24rem" style={{ flexWrap: 'wrap' }}>
        {petStatuses.map((status) => (
          <RadioButton
            key={status}
            name="status"
            value={status}
            label={statusLabels[status]}
            chosen={form.values.status}
            onChoose={(chosen) => form.setFieldValue('status', chosen)}
          />
        ))}
      </Button.Group>
    </fieldset>
  );
}

function CountField({ form, onFocus }: FieldProps) {
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
      <LitterPreview draft={form.values} />
    </Group>
  );
}

/** Longer previews show the first names and the last one. */
const shownNames = 6;

/** "Rex 1, Rex 2 … Rex 6". Empty for one animal. */
function LitterPreview({ draft }: { draft: PetDraft }) {
  const names = draftNames(draft);
  if (names.length === 1) return null;
  if (trimName(draft.name) === '') return <p className="note">The names get a number each.</p>;
  const shown = names.length > shownNames ? names.slice(0, shownNames - 2) : names;
  return (
    <Group component="ul" gap={4} flex="1 1 12rem" className={`note ${classes.litterNames}`} aria-label="Names">
      {shown.map((name) => (
        <li key={name} title={name}>
          {name}
        </li>
      ))}
      {names.length > shown.length && (
        <>
          <li aria-label={`and ${names.length - shown.length - 1} more`}>…</li>
          <li title={names.at(-1)}>{names.at(-1)}</li>
        </>
      )}
    </Group>
  );
}

/** More categories than this are a list to search. */
const maxButtons = 8;

/** A few categories are buttons to press. Another one, which has no name, is a number. */
function CategoryChoice({ form, onFocus }: FieldProps) {
  const { names } = useCategoryNames();
  const labels = [...categoryLabels(names).values()];
  const { value, onChange: _, ...props } = form.getInputProps('category') as { value: string; onChange: () => void };
  const [isOther, setIsOther] = useState(value !== '' && !labels.includes(value));
  const change = (text: string) => form.setFieldValue('category', text);
  if (names.size === 0 || names.size > maxButtons || isOther)
    return <CategoryField value={value} onChange={change} {...props} onFocus={onFocus} aria-required />;
  const { error, ...input } = props as { error?: string };
  return (
    <fieldset aria-describedby="category-error">
      <legend>Category</legend>
      <Group gap="xs">
        {labels.map((label, index) => (
          <RadioButton
            key={label}
            name="category"
            value={label}
            chosen={value}
            onChoose={change}
            {...(index === 0 && input)}
          />
        ))}
        <Button variant="subtle" px="sm" onClick={() => setIsOther(true)}>
          Another number
        </Button>
      </Group>
      <Input.Error id="category-error" mt={4}>
        {error}
      </Input.Error>
    </fieldset>
  );
}

interface RadioButtonProps<T extends string> {
  name: string;
  value: T;
  label?: string;
  chosen: string;
  onChoose: (value: T) => void;
}

function RadioButton<T extends string>({ name, value, label, chosen, onChoose, ...input }: RadioButtonProps<T>) {
  const isChosen = value === chosen;
  return (
    <Button
      component="label"
      variant={isChosen ? 'light' : 'default'}
      px="sm"
      fw={isChosen ? 550 : 400}
      style={{ borderColor: `var(--mantine-${isChosen ? 'primary-color-filled' : 'color-default-border'})` }}
      className={`${classes.radio} ${classes.wrapping}`}
    >
      <input type="radio" name={name} checked={isChosen} onChange={() => onChoose(value)} {...input} />
      <bdi>{label ?? value}</bdi>
    </Button>
  );
}
