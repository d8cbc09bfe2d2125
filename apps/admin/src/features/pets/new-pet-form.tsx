import { Box, Button, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { petStatuses } from '@petstore/contracts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CheckIcon } from '../../shared/icons.js';
import { AddError } from './add-error.js';
import { useAddPet } from './add-pet.js';
import { CategoryField } from './category-field.js';
import { ErrorSummary } from './error-summary.js';
import { emptyDraft, type PetDraft } from './pet-draft.js';
import classes from './pets.module.css';
import { statusLabels } from '../../shared/status-labels.js';
import { useNewPetForm } from './use-new-pet-form.js';

/** The form stays after an animal was added: category and status are kept for the next one. */
export function NewPetForm() {
  const { add, isPending, error, added } = useAddPet();
  const { form, nameInput, focus, submit } = useNewPetForm();
  const addAnother = () => {
    // The button disappears.
    focus('name');
    submit({ isAnother: true })();
  };
  return (
    <form className={`panel ${classes.form}`} onSubmit={submit()} noValidate>
      <RestoredNote form={form} isHidden={error !== null} />
      <ErrorSummary errors={form.errors} onSelect={focus} />
      {error && <AddError error={error} onAccept={add} onAddAnother={addAnother} />}
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
      <CategoryField form={form} />
      <StatusField form={form} />
      <div className={classes.submit}>
        <Button type="submit" aria-disabled={isPending}>
          {isPending ? 'Adding…' : 'Add animal'}
        </Button>
        {added[0] && !isPending && !error && <AddedLink id={String(added[0].id)} />}
      </div>
    </form>
  );
}

function AddedLink({ id }: { id: string }) {
  return (
    <Link to="/pets/$petId" params={{ petId: id }} className={classes.added}>
      <CheckIcon /> Added as number {id}
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
