import { Combobox, TextInput, type TextInputProps, useCombobox } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { petStatuses } from '@petstore/contracts';
import {
  type ChangeEvent,
  type ComponentType,
  type FocusEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { statusLabels } from '../../../shared/format.js';
import { useCategoryNames } from '../../../shared/store-info.js';
import { categoryLabel, categoryLabels, readCategory, sortByMatch } from '../category-input.js';
import { LitterPreview } from './litter-parts.js';
import type { PetDraft } from './pet-draft.js';
import classes from './add.module.css';

interface FieldProps {
  form: UseFormReturnType<PetDraft>;
  nameInput: RefObject<HTMLInputElement | null>;
  isPending: boolean;
  /** For the fields whose text is selected when they get the focus. */
  onFocus: (event: FocusEvent<HTMLInputElement>) => void;
}

/** In the order of the form. A field that is added to the draft does not compile until it is here. */
const fields: Record<keyof PetDraft, ComponentType<FieldProps>> = {
  name: NameField,
  category: CategoryField,
  status: StatusField,
  count: CountField,
};

export function PetFields(props: FieldProps) {
  return Object.entries(fields).map(([name, Field]) => <Field key={name} {...props} />);
}

function NameField({ form, nameInput, isPending }: FieldProps) {
  return (
    <TextInput
      ref={nameInput}
      label="Name"
      maxLength={1000}
      autoComplete="off"
      dir="auto"
      aria-required
      readOnly={isPending}
      {...form.getInputProps('name')}
    />
  );
}

function StatusField({ form }: FieldProps) {
  return (
    <fieldset className={classes.status}>
      <legend>Status</legend>
      {petStatuses.map((status) => (
        <label key={status}>
          <input
            type="radio"
            name="status"
            checked={status === form.values.status}
            onChange={() => form.setFieldValue('status', status)}
          />
          {statusLabels[status]}
        </label>
      ))}
    </fieldset>
  );
}

function CountField({ form, isPending, onFocus }: FieldProps) {
  return (
    <div className={classes.count}>
      <TextInput
        label="How many?"
        inputMode="numeric"
        maxLength={1000}
        autoComplete="off"
        w="6.5rem"
        readOnly={isPending}
        {...form.getInputProps('count')}
        onFocus={onFocus}
      />
      <LitterPreview draft={form.values} />
    </div>
  );
}

/** The categories that match, best first. All of them if the field has one already: the person looks for another one. */
function shownLabels(labels: readonly string[], text: string): readonly string[] {
  return labels.includes(text) ? labels : sortByMatch(labels, text, (label) => label);
}

/** Accepts a number, and also a name if the store has category names. A list below the field shows the matching names. */
function CategoryField({ form, onFocus }: FieldProps) {
  const { names } = useCategoryNames();
  const { onBlur, ...props } = form.getInputProps('category') as { onBlur?: () => void; value: string };
  const input = { ...props, autoComplete: 'off', maw: '24rem', 'aria-required': true, onFocus };
  // Replaces the text with the label of the category that it names.
  const showLabel = () => {
    const id = readCategory(props.value, names);
    if (id !== undefined && form.values.category === props.value)
      form.setFieldValue('category', categoryLabel(id, names));
    onBlur?.();
  };
  if (names.size === 0) return <TextInput label="Category number" inputMode="numeric" onBlur={showLabel} {...input} />;
  return (
    <CategoryChoice
      text={props.value}
      labels={[...categoryLabels(names).values()]}
      // Enter takes the only category that begins so. A number may be a category without a name.
      isOnly={/^\p{L}/u.test(props.value) && readCategory(props.value, names) !== undefined}
      onChoose={(label) => form.setFieldValue('category', label)}
      onLeave={showLabel}
      input={{ ...input, onChange: (event) => form.setFieldValue('category', event.currentTarget.value) }}
    />
  );
}

/** The list closes after the click that closes it: a button that moves away from the pointer gets no click. */
function useList() {
  const [opened, setOpened] = useState(false);
  const press = useRef({ isDown: false, closes: false });
  useEffect(() => {
    const start = () => {
      press.current = { isDown: true, closes: false };
    };
    const end = () => {
      if (press.current.closes) setOpened(false);
      press.current = { isDown: false, closes: false };
    };
    const listeners = [
      ['pointerdown', start],
      ['click', end],
      ['pointercancel', end],
    ] as const;
    for (const [type, listener] of listeners) addEventListener(type, listener);
    return () => {
      for (const [type, listener] of listeners) removeEventListener(type, listener);
    };
  }, []);
  const onOpenedChange = (next: boolean) => {
    press.current.closes = !next;
    if (next || !press.current.isDown) setOpened(next);
  };
  return useCombobox({ opened, onOpenedChange });
}

interface CategoryChoiceProps {
  text: string;
  labels: readonly string[];
  /** Whether the text can only mean the first category of the list. */
  isOnly: boolean;
  onChoose: (label: string) => void;
  onLeave: () => void;
  input: TextInputProps & { onChange: (event: ChangeEvent<HTMLInputElement>) => void };
}

/** The list takes its own space below the field: it covers no other field. */
function CategoryChoice({ text, labels, isOnly, onChoose, onLeave, input }: CategoryChoiceProps) {
  const combobox = useList();
  const shown = shownLabels(labels, text);
  useEffect(() => {
    if (isOnly) combobox.selectFirstOption();
    else combobox.resetSelectedOption();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Only a change of the text selects.
  }, [text, isOnly]);
  const choose = (label: string) => {
    onChoose(label);
    combobox.closeDropdown();
  };
  return (
    <Combobox store={combobox} onOptionSubmit={choose} withinPortal={false}>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          label="Category"
          description="Type a name or a number."
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          {...input}
          onChange={(event) => {
            input.onChange(event);
            combobox.openDropdown();
          }}
          onClick={() => combobox.openDropdown()}
          onBlur={() => {
            combobox.closeDropdown();
            onLeave();
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown className={classes.categories} hidden={shown.length === 0}>
        <Combobox.Options aria-label="Categories" className={classes.categoryOptions}>
          {shown.map((label) => (
            <Combobox.Option key={label} value={label}>
              <bdi>{label}</bdi>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
