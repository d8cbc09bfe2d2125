import { Box, Button, Group, Skeleton, Stack } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import type { Pet } from '@petstore/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type CSSProperties, Fragment, type ReactNode, useState } from 'react';
import { live } from '../../shared/api.js';
import { ReadProblem } from '../../shared/error-notice.js';
import { categoryName } from '../../shared/filter-search.js';
import { announce, overlays } from '../../shared/focus.js';
import { CheckIcon, LinkIcon, PlusIcon, PrinterIcon } from '../../shared/icons.js';
import { Label, readSizeName, sizeOf } from '../../shared/label.js';
import { BackLink, ButtonLink, NotFound, useBackToList } from '../../shared/links.js';
import { Page } from '../../shared/page.js';
import { parsePetId } from '../../shared/pet-id.js';
import { PetName, plainName, StatusBadge } from '../../shared/pet-parts.js';
import { petQuery } from '../../shared/pet-queries.js';
import { useCanAdd, useCategoryNames } from '../../shared/store-info.js';
import { rememberDraftLike } from '../add/index.js';
import { NeighborLinks } from './neighbors.js';

/** Where Escape closes something, or belongs to a field. */
const escapeElsewhere = `${overlays}, :is(input, textarea, select):focus`;

/** One animal, its label, and what a person can do with it. Escape returns to the list. */
export function RecordPage() {
  const { petId } = useParams({ from: '/pets/$petId' });
  const id = parsePetId(petId);
  const goBack = useBackToList();
  const pressKey = ({ key }: KeyboardEvent) => {
    if (key === 'Escape' && document.querySelector(escapeElsewhere) === null) goBack();
  };
  // While the event is captured, what the key closes is still open.
  useWindowEvent('keydown', pressKey, { capture: true });
  return id === undefined ? <PetNotFound petId={petId} /> : <LoadedPet id={id} />;
}

function LoadedPet({ id }: { id: bigint }) {
  const query = useQuery({ ...petQuery(id), ...live });
  const { data: pet } = query;
  const title = pet ? plainName(pet.name) : `Animal ${id}`;
  if (pet === null) return <PetNotFound petId={String(id)} />;
  return (
    <Page
      title={title}
      heading={<PetName name={pet?.name ?? title} />}
      beside={pet && <StatusBadge status={pet.status} />}
      above={<BackLink />}
      actions={<NeighborLinks id={id} />}
    >
      <ReadProblem query={query} onRetry={() => void query.refetch()} />
      {(pet ?? !query.error) && <PetCard pet={pet} />}
    </Page>
  );
}

function PetNotFound({ petId }: { petId: string }) {
  return (
    <NotFound title="Animal not found" above={<BackLink />}>
      No animal has number <bdi>{petId}</bdi>. Check the number, or search for the animal.
    </NotFound>
  );
}

/** On a phone, the actions take two lines. */
const actionsHeight = { base: 'calc(2 * var(--control-height) + 0.625rem)', xs: 'var(--control-height)' };

/** Without an animal, its shape. The label is larger than it prints, like paper on a table. */
function PetCard({ pet }: { pet: Pet | undefined }) {
  const { names } = useCategoryNames();
  const [{ width, height }] = useState(() => sizeOf(readSizeName()));
  const size = {
    '--width': 'min(100cqi, 25rem)',
    '--height': `calc(var(--width) / ${width / height})`,
  } as CSSProperties;
  return (
    <Stack className="panel">
      <Group justify="space-between">
        {pet ? <Facts pet={pet} /> : <Skeleton h="1rem" w="10rem" my="0.275rem" />}
        {pet ? <PetActions pet={pet} /> : <Skeleton h={actionsHeight} w="min(24rem, 100%)" />}
      </Group>
      <Box
        component="section"
        display="grid"
        p="lg"
        bg="var(--surface-quiet)"
        bdrs="md"
        style={{ placeItems: 'center', containerType: 'inline-size', ...size }}
        aria-label="Label"
      >
        {pet ? <Label pet={pet} names={names} /> : <Skeleton w="var(--width)" h="var(--height)" />}
      </Box>
    </Stack>
  );
}

function PetActions({ pet }: { pet: Pet }) {
  const canAdd = useCanAdd();
  return (
    <Group gap="xs" grow preventGrowOverflow={false} className="compact">
      <CopyLink text={`${location.origin}/pets/${pet.id}`} />
      {canAdd !== false && (
        <ButtonLink to="/pets/new" variant="default" leftSection={<PlusIcon />} onClick={() => rememberDraftLike(pet)}>
          Add another
        </ButtonLink>
      )}
      <ButtonLink to="/labels" search={{ numbers: String(pet.id) }} leftSection={<PrinterIcon />}>
        Print label
      </ButtonLink>
    </Group>
  );
}

/** "1469 · Guinea pigs" */
function Facts({ pet: { id, categoryId } }: { pet: Pet }) {
  const { names } = useCategoryNames();
  // Each field, so that a new one is not forgotten. The others are in the heading of the page.
  const facts: Record<Exclude<keyof Pet, 'name' | 'status'>, ReactNode> = {
    id: String(id),
    categoryId: (
      <Link to="/pets" search={{ category: [String(categoryId)] }} className="plainLink">
        <bdi>{categoryName(categoryId, names)}</bdi>
      </Link>
    ),
  };
  return (
    <Box component="p" c="dimmed">
      {Object.entries(facts).map(([field, fact], index) => (
        <Fragment key={field}>
          {index > 0 && ' · '}
          {fact}
        </Fragment>
      ))}
    </Box>
  );
}

function CopyLink({ text }: { text: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = () => {
    const isDone = copyText(text);
    setIsCopied(isDone);
    if (isDone) announce(`Copied ${text}`);
    else prompt('Copy this link:', text);
    setTimeout(() => setIsCopied(false), 2000);
  };
  return (
    <Button variant="default" leftSection={isCopied ? <CheckIcon /> : <LinkIcon />} onClick={copy}>
      {isCopied ? 'Copied' : 'Copy link'}
    </Button>
  );
}

/** Browsers offer `navigator.clipboard` on https only, and a store's tablet may use http. */
function copyText(text: string): boolean {
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
