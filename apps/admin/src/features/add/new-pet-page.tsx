import { Box, Button, Group, Skeleton, Stack } from '@mantine/core';
import type { Pet } from '@petstore/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FocusEvent, useState } from 'react';
import { live } from '../../shared/api.js';
import { categoryName } from '../../shared/filter-search.js';
import { CheckIcon } from '../../shared/icons.js';
import { BackLink, NoPermission, PetLink } from '../../shared/links.js';
import { Columns, LoadingRows, Page } from '../../shared/page.js';
import { CategoryName, PetName, StatusBadge } from '../../shared/pet-parts.js';
import { petListQuery } from '../../shared/pet-queries.js';
import { useCanAdd, useCategoryNames } from '../../shared/store-info.js';
import classes from './add.module.css';
import { AddProblems } from './waiting-animals.js';
import { useAdded, useLastAdded, useQueue } from './add-queue.js';
import { type Batch, batchName, litterText } from './batch.js';
import { draftNames } from './pet-draft.js';
import { CategoryChoice, CountField, NameField, StatusField } from './pet-fields.js';
import { Question } from './questions.js';
import { SingleClicks } from './single-clicks.js';
import { useNewPetForm } from './use-new-pet-form.js';

export function NewPetPage() {
  const canAdd = useCanAdd();
  const { isPending } = useCategoryNames();
  const isReady = canAdd && !isPending;
  return (
    <Page title="Add animal" above={<BackLink />}>
      {canAdd === false ? (
        <NoPermission action="add animals" />
      ) : (
        <SingleClicks>
          <Columns first="minmax(0, 36rem)">
            {isReady ? <NewPetForm /> : <FormSkeleton />}
            {/* With the form: on a phone, it is below. */}
            {isReady && <NewestPets />}
          </Columns>
        </SingleClicks>
      )}
    </Page>
  );
}

function NewPetForm() {
  const { form, questions, submit, refuseEnter, change, clear, focus } = useNewPetForm();
  const count = draftNames(form.values).length;
  const selectText = ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
    questions.noteFocus(form.values);
    currentTarget.select();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Enter bubbles from the fields.
    <form onSubmit={submit} onKeyDown={refuseEnter} noValidate>
      <Stack className={`panel ${classes.form}`} gap="lg">
        <NameField form={form} onCells={questions.askAboutCells} />
        {questions.question && <Question key={questions.question.title} {...questions.question} takesFocus />}
        <AddProblems onChange={change} onAnswer={() => focus('name')} />
        <CategoryChoice form={form} onFocus={selectText} />
        <StatusField form={form} />
        <CountField form={form} onFocus={selectText} />
        <p className="note">{"Check everything first: an animal can't be changed or deleted later."}</p>
        <Group gap="sm">
          <Button type="submit">{count === 1 ? 'Add animal' : `Add ${count} animals`}</Button>
          {form.values.name !== '' && (
            <Button variant="subtle" onClick={clear}>
              Clear form
            </Button>
          )}
          <Added />
        </Group>
      </Stack>
    </form>
  );
}

/** The last batch that was added since the page was opened. */
function Added() {
  const last = useLastAdded();
  const [earlier] = useState(last);
  const [first, another] = last;
  if (!first || last === earlier) return null;
  return (
    <Group gap="xs" wrap="nowrap" c="var(--mantine-primary-color-filled)">
      <CheckIcon />
      {another ? (
        <span>{litterText(last)}</span>
      ) : (
        <PetLink id={first.id}>
          <span>Added</span> <bdi translate="no">{first.name}</bdi>, <CategoryName id={first.categoryId} />,{' '}
          <span>{`number ${first.id}`}</span>
        </PetLink>
      )}
    </Group>
  );
}

function FormSkeleton() {
  return (
    <Stack className={`panel ${classes.form}`} gap="lg" aria-hidden>
      {['Name', 'Category', 'Status', 'Count'].map((field) => (
        <Stack key={field} gap="xs">
          <Skeleton h="1rem" w="6rem" />
          <Skeleton h="2.625rem" />
        </Stack>
      ))}
      <Skeleton h="2.625rem" w="8rem" />
    </Stack>
  );
}

const newestCount = 10;

/** The newest animals of the store, and all that this tab has added since the person signed in, which are marked. */
function NewestPets() {
  const { data, isLoading } = useQuery({ ...petListQuery({}), ...live });
  const added = useAdded();
  const addedIds = new Set(added.map(({ id }) => id));
  const others = data?.pets.filter(({ id }) => !addedIds.has(id)) ?? [];
  const shown = [...added, ...others.slice(0, Math.max(newestCount - added.length, 0))];
  const pets = shown.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  // Labels are printed in the order of the numbers.
  const numbers = pets
    .filter(({ id }) => addedIds.has(id))
    .map(({ id }) => String(id))
    .toReversed();
  const pending = useQueue().filter(({ error }) => !error);
  if (pets.length === 0 && pending.length === 0 && !isLoading) return null;
  return (
    <Box
      component="section"
      miw={0}
      p="0.75rem 1.25rem"
      className={`panel ${classes.newest}`}
      aria-label="Newest animals"
    >
      <Group gap="0 1rem" mb="xs" align="baseline" justify="space-between">
        <h2>Newest animals</h2>
        {added.length > 0 && (
          <p className="note">
            <span>{`${added.length} just added`}</span>{' '}
            <Link to="/labels" search={{ numbers: numbers.join(', ') }}>
              Print labels
            </Link>
          </p>
        )}
      </Group>
      {pending.length > 0 && <PendingPets batches={pending} />}
      {pets.length > 0 && <PetLines pets={pets} marked={addedIds} />}
      {isLoading && pets.length === 0 && <LoadingRows count={newestCount} isPlain />}
    </Box>
  );
}

/** Batches that have no number yet, newest first. */
function PendingPets({ batches }: { batches: readonly Batch[] }) {
  return (
    <Stack component="ul" gap={0} aria-label="Animals being added" className={classes.pending}>
      {batches.toReversed().map(({ id, animals, added }) => (
        <Group component="li" key={id} justify="space-between" wrap="nowrap" gap="sm" mih="var(--row-height)">
          <PetName name={batchName(animals)} />
          <span className="note">{animals.length > 1 ? `${added.length} of ${animals.length} added` : 'Adding…'}</span>
        </Group>
      ))}
    </Stack>
  );
}

interface PetLinesProps {
  pets: readonly Pet[];
  /** Those that the person has just added. */
  marked: ReadonlySet<bigint>;
}

function PetLines({ pets, marked }: PetLinesProps) {
  const { names } = useCategoryNames();
  return (
    <ul className={classes.lines}>
      {pets.map(({ id, name, categoryId, status }) => (
        <Group key={String(id)} component="li" gap="sm" wrap="nowrap" mih="var(--row-height)">
          <span className="note">{String(id)}</span>
          <PetLink id={id} className="plainLink">
            <PetName name={name} />
          </PetLink>
          {marked.has(id) && (
            <CheckIcon role="img" aria-label="Just added" color="var(--mantine-primary-color-filled)" />
          )}
          <bdi className="note" title={categoryName(categoryId, names)}>
            {categoryName(categoryId, names)}
          </bdi>
          <span>
            <StatusBadge status={status} />
          </span>
        </Group>
      ))}
    </ul>
  );
}
