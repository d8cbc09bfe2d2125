import { Button } from '@mantine/core';
import type { Pet } from '@petstore/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type CSSProperties, type ReactNode, useState } from 'react';
import { live } from '../../shared/api.js';
import { ReadProblem } from '../../shared/error-notice.js';
import { announce, focusFindField } from '../../shared/focus.js';
import { CheckIcon, LinkIcon, PlusIcon, PrinterIcon, SearchIcon } from '../../shared/icons.js';
import { Label, readSizeName, sizeOf } from '../../shared/label.js';
import { BackLink, ButtonLink } from '../../shared/links.js';
import { EmptyState, LoadingColumns, Page } from '../../shared/page.js';
import { parsePetId } from '../../shared/pet-id.js';
import { useCanAdd, useCategoryNames } from '../../shared/store-info.js';
import { Relatives, shownRelatives } from './relatives.js';
import { rememberDraftLike } from '../../shared/browser-storage.js';
import { PetName, plainName, StatusBadge } from '../../shared/pet-parts.js';
import { petQuery } from '../../shared/pet-queries.js';
import classes from './record.module.css';

export function RecordPage() {
  const { petId } = useParams({ from: '/pets/$petId' });
  const id = parsePetId(petId);
  return id === undefined ? <PetNotFound petId={petId} /> : <LoadedPet id={id} />;
}

function LoadedPet({ id }: { id: bigint }) {
  const query = useQuery({ ...petQuery(id, useQueryClient()), ...live });
  const { data: pet } = query;
  const title = pet ? plainName(pet.name) : `Animal ${id}`;
  if (pet === null) return <PetNotFound petId={String(id)} />;
  return (
    <Page
      title={title}
      heading={<PetName name={pet?.name ?? title} />}
      headingClass={classes.name}
      beside={pet && <StatusBadge status={pet.status} />}
      above={<BackLink />}
    >
      <ReadProblem query={query} hasData={pet !== undefined} onRetry={() => void query.refetch()} />
      {pet ? <PetRecord pet={pet} /> : <LoadingColumns first="calc(100% - 26rem)" count={shownRelatives} />}
    </Page>
  );
}

function PetNotFound({ petId }: { petId: string }) {
  return (
    <Page title="Animal not found" above={<BackLink />}>
      <EmptyState icon={<SearchIcon />} actions={<Button onClick={focusFindField}>Search</Button>}>
        No animal has number <bdi>{petId}</bdi>. Check the number, or search for the animal.
      </EmptyState>
    </Page>
  );
}

/** What the store knows about an animal, and what a person can do with it. */
function PetRecord({ pet }: { pet: Pet }) {
  const { names } = useCategoryNames();
  // Each field, so that a new one is not forgotten. The others are in the heading of the page.
  const facts: Record<Exclude<keyof Pet, 'name' | 'status'>, { term: string; value: ReactNode }> = {
    id: { term: 'Number', value: String(pet.id) },
    categoryId: {
      term: names.has(pet.categoryId) ? 'Category' : 'Category number',
      value: <bdi>{names.get(pet.categoryId) ?? String(pet.categoryId)}</bdi>,
    },
  };
  return (
    <div className={classes.record}>
      <div className={`panel ${classes.details}`}>
        <dl>
          {Object.values(facts).map(({ term, value }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <PetActions pet={pet} />
      </div>
      <LabelPreview pet={pet} />
      <Relatives pet={pet} />
    </div>
  );
}

/** The label as it prints, larger. */
function LabelPreview({ pet }: { pet: Pet }) {
  const { names } = useCategoryNames();
  const [{ width, height }] = useState(() => sizeOf(readSizeName()));
  return (
    <section className={classes.labelPreview} aria-label="Label" style={{ '--ratio': width / height } as CSSProperties}>
      <Label pet={pet} names={names} />
    </section>
  );
}

function PetActions({ pet }: { pet: Pet }) {
  const id = String(pet.id);
  const canAdd = useCanAdd();
  return (
    <div className={classes.actions}>
      <ButtonLink to="/labels" search={{ numbers: id }} size="sm" leftSection={<PrinterIcon />}>
        Print label
      </ButtonLink>
      {canAdd && (
        <ButtonLink
          to="/pets/new"
          variant="subtle"
          size="sm"
          leftSection={<PlusIcon />}
          onClick={() => rememberDraftLike(pet)}
        >
          Add another
        </ButtonLink>
      )}
      <CopyLink text={`${location.origin}/pets/${id}`} />
    </div>
  );
}

/** If the browser refuses to copy, the address appears next to the button. */
function CopyLink({ text }: { text: string }) {
  const [result, setResult] = useState<'copied' | 'failed'>();
  const isCopied = result === 'copied';
  const copy = async () => {
    const isDone = await copyText(text);
    setResult(isDone ? 'copied' : 'failed');
    announce(isDone ? `Copied ${text}` : `Couldn't copy. Copy it yourself: ${text}`);
    if (isDone) setTimeout(() => setResult(undefined), 2000);
  };
  return (
    <>
      <Button
        variant="subtle"
        size="sm"
        leftSection={isCopied ? <CheckIcon /> : <LinkIcon />}
        onClick={() => void copy()}
      >
        {isCopied ? 'Copied' : 'Copy link'}
      </Button>
      {result === 'failed' && <code>{text}</code>}
    </>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

/** Browsers offer `navigator.clipboard` on https only, and a store's tablet may use http. */
function copySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
  field.style.cssText = 'position:fixed;top:0;opacity:0';
  document.body.append(field);
  field.select();
  // oxlint-disable-next-line typescript/no-deprecated
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}
