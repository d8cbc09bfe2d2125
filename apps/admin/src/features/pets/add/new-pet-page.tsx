import { Alert, Box, Button } from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FocusEvent, useState } from 'react';
import { AlertIcon, CheckIcon } from '../../../shared/icons.js';
import { PetLink } from '../../../shared/links.js';
import { Columns, LoadingColumns, LoadingRows, Page, Section } from '../../../shared/page.js';
import { useCanAdd, useCategoryNames } from '../../../shared/store-info.js';
import { BackLink } from '../links.js';
import { PetLines } from '../pet-parts.js';
import { petListQuery } from '../pet-queries.js';
import classes from './add.module.css';
import { AddError } from './add-error.js';
import { useAddPet } from './add-pet.js';
import { InterruptedLitter, LitterProgress } from './litter-parts.js';
import { draftNames, emptyDraft, type PetDraft } from './pet-draft.js';
import { PetFields } from './pet-fields.js';
import { ScannedQuestion } from './scanned-code.js';
import { addedText, useNewPetForm } from './use-new-pet-form.js';

const formWidth = 'minmax(0, 36rem)';

export function NewPetPage() {
  const canAdd = useCanAdd();
  const { isPending } = useCategoryNames();
  const isLoading = canAdd === undefined || isPending;
  return (
    <Page title="Add animal" above={<BackLink />}>
      {isLoading && <LoadingColumns first={formWidth} />}
      {canAdd === false && <p>{"You don't have permission to add animals. Ask your manager."}</p>}
      {!isLoading && canAdd && (
        <Columns first={formWidth}>
          <NewPetForm />
          <NewestPets />
        </Columns>
      )}
    </Page>
  );
}

/** The form stays after an animal was added: category and status are kept for the next one. */
function NewPetForm() {
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
      <ScannedQuestion scan={scan} form={form} onAdd={submit()} onCancel={() => focus('name')} />
      <PetFields form={form} nameInput={nameInput} isPending={isPending} onFocus={noteFocus} />
      <div className={classes.submit}>
        <Button type="submit" aria-disabled={isPending}>
          {isPending ? 'Adding…' : count === 1 ? 'Add animal' : `Add ${count} animals`}
        </Button>
        <LitterProgress />
        <Added name={form.values.name} />
        <p className="note">{"Check everything first: an animal can't be changed or deleted later."}</p>
      </div>
    </form>
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
    <PetLink id={first.id} className={classes.added}>
      {text}
    </PetLink>
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

const newestCount = 10;

/** The newest animals of the store, and all that this tab has added since the person signed in, which are marked. */
function NewestPets() {
  const { data, isLoading } = useQuery(petListQuery({}));
  const { added } = useAddPet();
  const addedIds = new Set(added.map(({ id }) => id));
  const others =
    data?.pets.filter(({ id }) => !addedIds.has(id)).slice(0, Math.max(newestCount - added.length, 0)) ?? [];
  const pets = [...added, ...others].toSorted((a, b) => (a.id < b.id ? 1 : -1));
  if (pets.length === 0 && !isLoading) return null;
  return (
    <Section
      title="Newest animals"
      className={classes.newest}
      aside={
        added.length > 0 && (
          <p className="note">
            <span id="just-added">{added.length} just added</span>
            <Link
              to="/labels"
              search={{
                numbers: added
                  .map(({ id }) => String(id))
                  .toReversed()
                  .join(', '),
              }}
            >
              Print labels
            </Link>
          </p>
        )
      }
    >
      {pets.length > 0 ? <PetLines pets={pets} marked={addedIds} /> : <LoadingRows count={newestCount} isPlain />}
    </Section>
  );
}
