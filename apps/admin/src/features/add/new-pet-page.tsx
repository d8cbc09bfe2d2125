import { Button, Group, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FocusEvent, useState } from 'react';
import { live } from '../../shared/api.js';
import { CheckIcon } from '../../shared/icons.js';
import { BackLink, PetLink } from '../../shared/links.js';
import { Columns, LoadingColumns, LoadingRows, Page, Section } from '../../shared/page.js';
import { CategoryName, PetLines, PetName } from '../../shared/pet-parts.js';
import { petListQuery } from '../../shared/pet-queries.js';
import { useCanAdd, useCategoryNames } from '../../shared/store-info.js';
import classes from './add.module.css';
import { AddProblems } from './add-problem.js';
import { litterText, useAddPet } from './add-provider.js';
import { type Batch, batchName } from './add-queue.js';
import { draftNames, emptyDraft, type PetDraft } from './pet-draft.js';
import { NewCategoryQuestion } from './new-category.js';
import { PastedQuestion } from './pasted-cells.js';
import { PetFields } from './pet-fields.js';
import { ScannedQuestion } from './scanned-code.js';
import { SingleClicks } from './single-clicks.js';
import { useNewPetForm } from './use-new-pet-form.js';

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
        <SingleClicks>
          <Columns first={formWidth}>
            <NewPetForm />
            <NewestPets />
          </Columns>
        </SingleClicks>
      )}
    </Page>
  );
}

/** The form is empty at once after an animal was added: category and status are kept for the next one. */
function NewPetForm() {
  const { form, nameInput, focus, fill, submit, change, scan, newCategory, pasted, onKeyDown } = useNewPetForm();
  const count = draftNames(form.values).length;
  const noteFocus = ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
    scan.noteFocus(form.values);
    currentTarget.select();
  };
  const askAboutCells = (text: string) => {
    newCategory.forget();
    pasted.ask(text);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Enter bubbles from the fields.
    <form onSubmit={submit} onKeyDown={onKeyDown} noValidate>
      <Stack className={`panel ${classes.form}`} gap="lg" p="clamp(1rem, 4vw, 2rem)">
        <RestoredNote form={form} onClear={() => fill(emptyDraft)} />
        <ScannedQuestion scan={scan} form={form} onAdd={submit} onCancel={() => focus('name')} />
        <PetFields form={form} nameInput={nameInput} onFocus={noteFocus} onCells={askAboutCells}>
          {!newCategory.asked && <PastedQuestion {...pasted} />}
          <NewCategoryQuestion newCategory={newCategory} onCancel={() => focus('category')} />
          <AddProblems onChange={change} onAnswer={() => focus('name')} />
        </PetFields>
        <Group gap="sm">
          <Button type="submit">{count === 1 ? 'Add animal' : `Add ${count} animals`}</Button>
          <Added />
        </Group>
        <p className="note">{"Check everything first: an animal can't be changed or deleted later."}</p>
      </Stack>
    </form>
  );
}

/** What was added last since the page was opened. */
function Added() {
  const { last } = useAddPet();
  const [earlier] = useState(last);
  const [first, another] = last;
  if (!first || last === earlier) return null;
  if (another)
    return (
      <span className={classes.added}>
        <CheckIcon />
        <span>{litterText(last)}</span>
      </span>
    );
  return (
    <PetLink id={first.id} className={classes.added}>
      <CheckIcon />
      <span>
        <span>Added</span> <bdi translate="no">{first.name}</bdi>, <CategoryName id={first.categoryId} />,{' '}
        <span>{`number ${first.id}`}</span>
      </span>
    </PetLink>
  );
}

/** The name of an unfinished animal may surprise the person who comes back to the form. */
function RestoredNote({ form, onClear }: { form: UseFormReturnType<PetDraft>; onClear: () => void }) {
  const [isShown, setIsShown] = useState(form.values.name !== '');
  if (!isShown || form.values.name === '') return null;
  const clear = () => {
    setIsShown(false);
    onClear();
  };
  return (
    <p>
      Your unfinished animal is still here.{' '}
      <Button variant="subtle" size="compact-md" onClick={clear}>
        Clear form
      </Button>
    </p>
  );
}

const newestCount = 10;

/** The newest animals of the store, and all that this tab has added since the person signed in, which are marked. */
function NewestPets() {
  const { data, isLoading } = useQuery({ ...petListQuery({}), ...live });
  const { added, queue } = useAddPet();
  const pending = queue.filter(({ error }) => !error);
  const addedIds = new Set(added.map(({ id }) => id));
  const others =
    data?.pets.filter(({ id }) => !addedIds.has(id)).slice(0, Math.max(newestCount - added.length, 0)) ?? [];
  const pets = [...added, ...others].toSorted((a, b) => (a.id < b.id ? 1 : -1));
  if (pets.length === 0 && pending.length === 0 && !isLoading) return null;
  return (
    <Section
      title="Newest animals"
      className={classes.newest}
      aside={
        added.length > 0 && (
          <p className="note">
            <span id="just-added">{`${added.length} just added`}</span>{' '}
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
      {pending.length > 0 && <PendingPets batches={pending} />}
      {pets.length > 0 && <PetLines pets={pets} marked={addedIds} />}
      {isLoading && pets.length === 0 && <LoadingRows count={newestCount} isPlain />}
    </Section>
  );
}

/** What waits for its number, newest first. */
function PendingPets({ batches }: { batches: readonly Batch[] }) {
  return (
    <Stack component="ul" gap={0} aria-label="Animals being added">
      {batches.toReversed().map(({ id, animals, added }) => (
        <Group
          component="li"
          key={id}
          justify="space-between"
          wrap="nowrap"
          gap="sm"
          mih="var(--row-height)"
          style={{ whiteSpace: 'nowrap', borderTop: '1px solid var(--line)' }}
        >
          <PetName name={batchName(animals)} />
          <span className="note">{animals.length > 1 ? `${added.length} of ${animals.length} added` : 'Adding…'}</span>
        </Group>
      ))}
    </Stack>
  );
}
