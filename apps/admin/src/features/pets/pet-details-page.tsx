import { Box, Button, Group } from '@mantine/core';
import type { Pet } from '@petstore/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type CSSProperties, type ReactNode, useEffect, useState } from 'react';
import { ErrorNotice } from '../../shared/error-notice.js';
import { formatTime } from '../../shared/format.js';
import { getKnownPet, useKnownPets } from '../../shared/known-pets/known-pets.js';
import { announce, focusFindField } from '../../shared/focus.js';
import { CheckIcon, CopyIcon, LinkIcon, PlusIcon, PrinterIcon, SearchIcon } from '../../shared/icons.js';
import { Label, readSizeName, sizeOf } from '../../shared/label.js';
import { ButtonLink } from '../../shared/links.js';
import { EmptyState, LoadingColumns, Page } from '../../shared/page.js';
import { parsePetId } from '../../shared/pet-id.js';
import { useCanAdd, useCategoryNames } from '../../shared/store-info.js';
import { BackLink } from './links.js';
import { Neighbors, Relatives, shownRelatives } from './other-pets.js';
import { writeDraftLike } from './add/pet-draft.js';
import { PetName, plainName, StatusBadge } from './pet-parts.js';
import { petQuery } from './pet-queries.js';
import classes from './pet-details.module.css';

export function PetDetailsPage() {
  const { petId } = useParams({ from: '/pets/$petId' });
  const id = parsePetId(petId);
  return id === undefined ? <PetNotFound petId={petId} /> : <LoadedPet id={id} />;
}

/** The animal, or what this device knows about it while the service does not answer. */
function usePet(id: bigint) {
  const { data, dataUpdatedAt, error, refetch, isFetching } = useQuery(petQuery(id, useQueryClient()));
  const { updatedAt = 0 } = useKnownPets();
  const { data: known } = useQuery({
    queryKey: ['known', String(id)],
    queryFn: async () => (await getKnownPet(id)) ?? null,
    enabled: data === undefined && error !== null,
  });
  if (data !== undefined || !known) return { pet: data, knownAt: dataUpdatedAt, error, refetch, isFetching };
  return { pet: known, knownAt: updatedAt, error, refetch, isFetching };
}

function LoadedPet({ id }: { id: bigint }) {
  const { pet, knownAt, error, refetch, isFetching } = usePet(id);
  const title = pet ? plainName(pet.name) : `Animal ${id}`;
  // The link to the next animal keeps the focus, so no screen reader reads the heading.
  useEffect(() => {
    if (document.activeElement?.matches('main nav *')) announce(`${title}, number ${id}`);
  }, [title, id]);
  if (pet === null) return <PetNotFound petId={String(id)} />;
  return (
    <Page
      title={title}
      heading={<PetName name={pet?.name ?? title} />}
      above={
        // Above the name, which can have several lines: "Next" stays under the pointer.
        <Group justify="space-between" gap={0}>
          <BackLink />
          <Neighbors id={id} />
        </Group>
      }
    >
      {error && (
        <Box mb="md">
          <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching}>
            {pet && <p>{`Below is what this device knew at ${formatTime(knownAt)}.`}</p>}
          </ErrorNotice>
        </Box>
      )}
      {pet ? <PetRecord pet={pet} /> : !error && <LoadingColumns first="calc(100% - 28rem)" count={shownRelatives} />}
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
  // Each field, so that a new one is not forgotten. The name is the heading of the page.
  const facts: Record<Exclude<keyof Pet, 'name'>, { term: string; value: ReactNode }> = {
    id: { term: 'Number', value: <strong className={classes.number}>{String(pet.id)}</strong> },
    status: { term: 'Status', value: <StatusBadge status={pet.status} /> },
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
      <ButtonLink to="/labels" search={{ numbers: id }} variant="default" size="sm" leftSection={<PrinterIcon />}>
        Print label
      </ButtonLink>
      {canAdd && (
        <ButtonLink
          to="/pets/new"
          variant="default"
          size="sm"
          leftSection={<PlusIcon />}
          onClick={() => writeDraftLike(pet)}
        >
          Add another
        </ButtonLink>
      )}
      <CopyButton text={id} icon={<CopyIcon />}>
        Copy number
      </CopyButton>
      <CopyButton text={`${location.origin}/pets/${id}`} icon={<LinkIcon />}>
        Copy link
      </CopyButton>
    </div>
  );
}

interface CopyButtonProps {
  text: string;
  icon: ReactNode;
  children: string;
}

/** If the browser refuses to copy, the text appears next to the button. */
function CopyButton({ text, icon, children }: CopyButtonProps) {
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
      <Button variant="default" size="sm" leftSection={isCopied ? <CheckIcon /> : icon} onClick={() => void copy()}>
        {isCopied ? 'Copied' : children}
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
