import { Box, Button, Group, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Pet } from '@petstore/contracts';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { callApi, live } from '../../shared/api.js';
import { ReadProblem } from '../../shared/error-notice.js';
import { announce, focusFindField } from '../../shared/focus.js';
import { CheckIcon, LinkIcon, PlusIcon, PrinterIcon, SearchIcon } from '../../shared/icons.js';
import { Label, readSizeName, sizeOf } from '../../shared/label.js';
import { BackLink, ButtonLink, PetLink } from '../../shared/links.js';
import { pageSizeOf, readLastList } from '../../shared/list-search.js';
import { useSteadyPage } from '../../shared/new-animals.js';
import { Columns, EmptyState, LoadingColumns, LoadingRows, Page, Section } from '../../shared/page.js';
import { parsePetId } from '../../shared/pet-id.js';
import { useCanAdd, useCategoryNames } from '../../shared/store-info.js';
import { rememberDraftLike } from '../../shared/browser-storage.js';
import { PetLines, PetName, PetTable, plainName, StatusBadge } from '../../shared/pet-parts.js';
import { petListQuery, petQuery } from '../../shared/pet-queries.js';
import classes from './record.module.css';
import { formatCount } from '../../shared/format.js';
import partClasses from '../../shared/pet-parts.module.css';

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
      <BesideList>
        {pet ? <PetRecord pet={pet} /> : <LoadingColumns first="calc(100% - 26rem)" count={shownRelatives} />}
      </BesideList>
    </Page>
  );
}

/** Very wide screens have space for the list that the person came from: its next animal is one click away. */
function BesideList({ children }: { children: ReactNode }) {
  const isWide = useMediaQuery('(min-width: 100em)', undefined, { getInitialValueInEffect: false });
  if (!isWide) return children;
  return (
    <Columns first="calc(100% - 38rem)">
      {children}
      <List />
    </Columns>
  );
}

/** Its links replace the page, so that Back leads to the list, and keep the focus. */
function List() {
  const list = useLocation({ select: ({ state }) => state.list }) ?? readLastList();
  const { data } = useQuery({ ...petListQuery(list), ...live });
  const { page } = useSteadyPage(list, data);
  return (
    <nav className={`panel ${classes.list}`} aria-label="List">
      <h2>Animals</h2>
      {page ? (
        <PetLines pets={page.pets} link={{ replace: true, resetScroll: false, state: true }} />
      ) : (
        <LoadingRows count={pageSizeOf(list)} isPlain />
      )}
    </nav>
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
      <Stack className="panel" p="1rem 1.25rem">
        <Group component="dl" gap="0.5rem 3rem">
          {Object.values(facts).map(({ term, value }) => (
            <Box key={term} miw={0}>
              <dt className="note">{term}</dt>
              <Box component="dd" fz="lg">
                {value}
              </Box>
            </Box>
          ))}
        </Group>
        <PetActions pet={pet} />
      </Stack>
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
    <Box
      component="section"
      p="sm"
      bg="var(--surface-quiet)"
      bdrs={12}
      className={classes.labelPreview}
      aria-label="Label"
      style={{ '--ratio': width / height }}
    >
      <Label pet={pet} names={names} />
    </Box>
  );
}

function PetActions({ pet }: { pet: Pet }) {
  const id = String(pet.id);
  const canAdd = useCanAdd();
  return (
    <Group gap="0.25rem 0.5rem">
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
    </Group>
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

const shownRelatives = 5;

/** What a customer can have instead: available animals of the same category, the newest first. */
function Relatives({ pet }: { pet: Pet }) {
  const { names } = useCategoryNames();
  const category = names.get(pet.categoryId) ?? `category ${pet.categoryId}`;
  const { data } = useQuery({ ...relativesQuery(pet.categoryId), ...live });
  const others = data?.pets.filter(({ id }) => id !== pet.id).slice(0, shownRelatives) ?? [];
  return (
    <Section
      title={`Others of ${category}`}
      className={classes.relatives}
      aside={
        data?.total !== undefined &&
        others.length > 0 && (
          <Link to="/pets" search={{ category: [String(pet.categoryId)], status: 'available' }}>
            {`Show all ${formatCount(data.total)} available`}
          </Link>
        )
      }
    >
      {data ? <RelativeTable pets={others} category={category} /> : <LoadingRows count={shownRelatives} isPlain />}
    </Section>
  );
}

/** One more than the page shows: the animal of the page may be among them. */
function relativesQuery(categoryId: bigint) {
  const query = { categoryId, status: 'available', order: 'desc', limit: shownRelatives + 1, count: true } as const;
  return queryOptions({
    // As the lists, it is requested again after an animal was added.
    queryKey: ['pets', 'relatives', String(categoryId)],
    queryFn: ({ signal }) => callApi((client) => client.listPets(query, { signal }).page(), signal),
  });
}

function RelativeTable({ pets, category }: { pets: readonly Pet[]; category: string }) {
  if (pets.length === 0) return <p className="note">{`No other animal of ${category} is available.`}</p>;
  return (
    <PetTable
      pets={pets}
      fields={['id', 'name']}
      customCells={({ id, name }) => ({
        name: (
          <PetLink id={id} className={partClasses.rowLink} title={name}>
            <PetName name={name} />
          </PetLink>
        ),
      })}
    />
  );
}
