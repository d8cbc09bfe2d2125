import { Button, TextInput } from '@mantine/core';
import { FaultSummary } from './fault-summary.js';
import { NotAdded } from './not-added.js';
import classes from './pets.module.css';
import { RestoredNote } from './restored-note.js';
import { StatusChoice } from './status-choice.js';
import { type NewPetFormProps, useNewPetForm } from './use-new-pet-form.js';

export function NewPetForm(props: NewPetFormProps) {
  const { form, faults, adding, submit, addAnyway, clear } = useNewPetForm(props);
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {props.isRestored && <RestoredNote onClear={clear} />}
      <FaultSummary faults={faults} />
      {adding.error !== undefined && (
        <NotAdded error={adding.error} onTake={adding.take} onAddAnyway={() => addAnyway()} />
      )}
      <TextInput label="Name" maxLength={1000} autoComplete="off" dir="auto" {...form.getInputProps('name')} />
      <TextInput
        label="Category number"
        inputMode="numeric"
        autoComplete="off"
        className={classes.categoryInput}
        {...form.getInputProps('category')}
      />
      <StatusChoice value={form.values.status} onChange={(status) => form.setFieldValue('status', status)} />
      <div className={classes.actions}>
        <Button type="submit" aria-disabled={adding.isAdding}>
          {adding.isAdding ? 'Adding…' : 'Add the animal'}
        </Button>
      </div>
    </form>
  );
}
