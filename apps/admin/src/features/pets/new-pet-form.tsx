import { Box, Button, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { petStatuses } from '@petstore/contracts';
import { useEffect, useRef, useState } from 'react';
import { AddError } from './add-error.js';
import { useAddPet } from './add-pet.js';
import { ErrorSummary } from './error-summary.js';
import { emptyDraft, type PetDraft, toNewPet, validateCategory, validateName, writeDraft } from './pet-draft.js';
import classes from './pets.module.css';
import { statusLabels } from './status-badge.js';

interface NewPetFormProps {
  /** The unfinished form that was left earlier. */
  restored: PetDraft | undefined;
  /** After an animal was added: the values that the next one starts with. */
  another: PetDraft | undefined;
}

export function NewPetForm(props: NewPetFormProps) {
  const { add, isPending, error } = useAddPet();
  const { form, nameInput, focus, submit } = useNewPetForm(props);
  return (
    <form className={`panel ${classes.form}`} onSubmit={submit()} noValidate>
      {props.restored && !props.another && <RestoredNote form={form} />}
      <ErrorSummary errors={form.errors} onSelect={focus} />
      {error && <AddError error={error} onAccept={add} onAddAnother={() => submit({ isAnother: true })()} />}
      <TextInput
        ref={nameInput}
        label="Name"
        maxLength={1000}
        autoComplete="off"
        dir="auto"
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Category number"
        inputMode="numeric"
        autoComplete="off"
        maw="18rem"
        {...form.getInputProps('category')}
      />
      <StatusField form={form} />
      <Button type="submit" aria-disabled={isPending} mr="auto">
        {isPending ? 'Adding…' : 'Add animal'}
      </Button>
    </form>
  );
}

function useNewPetForm({ restored, another }: NewPetFormProps) {
  const { add } = useAddPet();
  const form = useForm<PetDraft>({
    initialValues: another ?? restored ?? emptyDraft,
    validate: { name: validateName, category: validateCategory },
    onValuesChange: writeDraft,
  });
  const focus = (field: string) => form.getInputNode(field)?.focus();
  const submit = (options?: { isAnother: boolean }) =>
    form.onSubmit(
      (draft) => add(toNewPet(draft), options),
      (errors) => focus(Object.keys(errors)[0] ?? 'name'),
    );
  const nameInput = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (another) nameInput.current?.focus();
  }, [another]);
  return { form, nameInput, focus, submit };
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

function RestoredNote({ form }: { form: UseFormReturnType<PetDraft> }) {
  const [isShown, setIsShown] = useState(true);
  if (!isShown) return null;
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
