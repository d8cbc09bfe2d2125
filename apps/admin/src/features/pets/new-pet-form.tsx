import { Alert, Box, Button, Combobox, TextInput, type TextInputProps, useCombobox } from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { petStatuses } from '@petstore/contracts';
import { Link } from '@tanstack/react-router';
import { type ChangeEvent, type FocusEvent, useEffect, useRef, useState } from 'react';
import { statusLabels } from '../../shared/format.js';
import { AlertIcon, CheckIcon } from '../../shared/icons.js';
import { useCategoryNames } from '../../shared/store-info.js';
import { AddError, ScannedQuestion } from './add-error.js';
import { useAddPet } from './add-pet.js';
import { categoryLabel, categoryLabels, readCategory, sortByMatch } from './category-input.js';
import { InterruptedLitter, LitterPreview, LitterProgress } from './litter-parts.js';
import { draftNames, emptyDraft, type PetDraft } from './pet-draft.js';
import classes from './pets.module.css';
import { addedText, useNewPetForm } from './use-new-pet-form.js';

/** The form stays after an animal was added: category and status are kept for the next one. */
export function NewPetForm() {
  const { accept, isPending, error } = useAddPet();
  const { form, nameInput, focus, submit, scan } = useNewPetForm();
  const count = draftNames(form.values).length;
  const noteFocus = ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
    scan.noteFocus(form.values);
    currentTarget.select();
  };
  const addAnother = (except: readonly string[] = []) => {
    // The button disappears.
    focus('name');
    submit({ isAnother: true, except })();
  };
  return (
    <form className={`panel ${classes.form}`} onSubmit={submit()} noValidate>
      <InterruptedLitter />
      <RestoredNote form={form} isHidden={error !== null} />
      <ErrorSummary errors={form.errors} onSelect={focus} />
      {error && <AddError error={error} onAccept={accept} onAddAnother={addAnother} onRetry={submit()} />}
      <ScannedLabel scan={scan} form={form} onAdd={submit()} onCancel={() => focus('name')} />
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
      <CategoryField form={form} onFocus={noteFocus} />
      <StatusField form={form} />
      <div className={classes.count}>
        <TextInput
          label="How many?"
          inputMode="numeric"
          maxLength={1000}
          autoComplete="off"
          w="6.5rem"
          readOnly={isPending}
          {...form.getInputProps('count')}
          onFocus={noteFocus}
        />
        <LitterPreview draft={form.values} />
      </div>
      <div className={classes.submit}>
        <Button type="submit" aria-disabled={isPending}>
          {isPending ? 'Adding…' : count === 1 ? 'Add animal' : `Add ${count} animals`}
        </Button>
        <LitterProgress />
        <Added name={form.values.name} />
        <p className={classes.hint}>{"Check everything first: an animal can't be changed or deleted later."}</p>
      </div>
    </form>
  );
}

interface ScannedLabelProps extends Pick<ReturnType<typeof useNewPetForm>, 'scan' | 'form'> {
  onAdd: () => void;
  onCancel: () => void;
}

function ScannedLabel({ scan, form, onAdd, onCancel }: ScannedLabelProps) {
  if (!scan.asked) return null;
  const addAsName = (name: string) => {
    scan.acceptAsName(name);
    onAdd();
  };
  const cancel = () => {
    scan.forget();
    onCancel();
  };
  return (
    <ScannedQuestion code={scan.asked} onOpen={(code) => scan.open(code, form)} onAdd={addAsName} onCancel={cancel} />
  );
}

/** The result of the last form. `name` is that of the next animal. */
function Added({ name }: { name: string }) {
  const { last, isPending, error } = useAddPet();
  const [opened] = useState({ name, last });
  // It would look like the result of the unfinished animal that the person comes back to.
  const isOld = opened.name !== '' && opened.last === last;
  const [first, another] = last;
  if (!first || isPending || error || isOld) return null;
  const text = (
    <>
      <CheckIcon /> {addedText(last)}
    </>
  );
  if (another) return <span className={classes.added}>{text}</span>;
  return (
    <Link to="/pets/$petId" params={{ petId: String(first.id) }} className={classes.added}>
      {text}
    </Link>
  );
}

function StatusField({ form }: { form: UseFormReturnType<PetDraft> }) {
  return (
    <fieldset className={classes.statusField}>
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

/** The name of an unfinished animal may surprise the person who comes back to the form. */
function RestoredNote({ form, isHidden }: { form: UseFormReturnType<PetDraft>; isHidden: boolean }) {
  const [isShown, setIsShown] = useState(form.values.name !== '');
  if (!isShown || isHidden || form.values.name === '') return null;
  const clear = () => {
    setIsShown(false);
    form.setValues(emptyDraft);
    form.clearErrors();
    form.getInputNode('name')?.focus();
  };
  return (
    <Box component="p" m={0}>
      Your unfinished animal is still here.{' '}
      <Button variant="subtle" size="compact-md" onClick={clear}>
        Clear form
      </Button>
    </Box>
  );
}

interface ErrorSummaryProps {
  errors: FormErrors;
  onSelect: (field: string) => void;
}

/** All errors of the form. Each one moves the focus to its field. */
function ErrorSummary({ errors, onSelect }: ErrorSummaryProps) {
  const entries = Object.entries(errors);
  if (entries.length === 0) return null;
  const title = entries.length === 1 ? 'There is 1 problem' : `There are ${entries.length} problems`;
  return (
    <Alert color="red" icon={<AlertIcon />} title={title}>
      <ul className={classes.errors}>
        {entries.map(([field, error]) => (
          <li key={field}>
            <button type="button" onClick={() => onSelect(field)}>
              {error}
            </button>
          </li>
        ))}
      </ul>
    </Alert>
  );
}

/** The categories that match, best first. All of them if the field has one already: the person looks for another one. */
function shownLabels(labels: readonly string[], text: string): readonly string[] {
  return labels.includes(text) ? labels : sortByMatch(labels, text, (label) => label);
}

interface CategoryFieldProps {
  form: UseFormReturnType<PetDraft>;
  onFocus: (event: FocusEvent<HTMLInputElement>) => void;
}

/** Accepts a number, and also a name if the store has category names. A list below the field shows the matching names. */
function CategoryField({ form, onFocus }: CategoryFieldProps) {
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
