import { Alert, Box, Button } from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { Link } from '@tanstack/react-router';
import { type FocusEvent, useState } from 'react';
import { AlertIcon, CheckIcon } from '../../shared/icons.js';
import { AddError, ScannedQuestion } from './add-error.js';
import { useAddPet } from './add-pet.js';
import { InterruptedLitter, LitterProgress } from './litter-parts.js';
import { draftNames, emptyDraft, type PetDraft } from './pet-draft.js';
import { PetFields } from './pet-fields.js';
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
      <PetFields form={form} nameInput={nameInput} isPending={isPending} onFocus={noteFocus} />
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
