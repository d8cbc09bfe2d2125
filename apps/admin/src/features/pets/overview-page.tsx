import { Box } from '@mantine/core';
import { petStatuses, type PetStatus } from '@petstore/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, useDeferredValue, useEffect, useState } from 'react';
import { ErrorNotice } from '../../shared/error-notice.js';
import { categoryName } from '../../shared/filter-search.js';
import { formatCount, formatTime, statusLabels } from '../../shared/format.js';
import { DownloadIcon, PrinterIcon } from '../../shared/icons.js';
import type { CategoryCount } from '../../shared/known-pets/pet-index.js';
import { countCategories, findPets, updateKnownPets, useKnownPets } from '../../shared/known-pets/known-pets.js';
import { knownText } from '../../shared/known-pets/known-text.js';
import { afterVisit, noteVisit, readVisits, todayMark, type VisitMark } from '../../shared/known-pets/visits.js';
import { ButtonLink } from '../../shared/links.js';
import { LoadingRows, Page, Section } from '../../shared/page.js';
import { type CategoryNames, useCategoryNames } from '../../shared/store-info.js';
import { AddLink, FirstDay } from './links.js';
import classes from './overview.module.css';
import { PetLines, StatusBadge } from './pet-parts.js';
import { petCountQuery, petListQuery, refreshPets } from './pet-queries.js';

/** How many animals the store has, of which categories, and what is new. */
export function OverviewPage() {
  const { data: total, error, isFetching } = useQuery(petCountQuery(undefined));
  const queryClient = useQueryClient();
  useEffect(() => void updateKnownPets(), []);
  const retry = () => {
    refreshPets(queryClient);
    void updateKnownPets();
  };
  return (
    <Page
      title="Overview"
      actions={
        total === 0 ? undefined : (
          <AddLink size="sm" className={classes.add}>
            Add animal
          </AddLink>
        )
      }
    >
      {error && (
        <Box mb="md">
          <ErrorNotice error={error} onRetry={retry} isRetrying={isFetching} />
        </Box>
      )}
      {total === 0 ? <FirstDay /> : <Sections />}
    </Page>
  );
}

/** What grows while the animals are read comes last: on a narrow screen, it would move what follows. */
function Sections() {
  return (
    <div className={classes.page}>
      <Totals />
      <NewAnimals />
      <Newest />
      <Categories />
    </div>
  );
}

function Totals() {
  return (
    <nav aria-label="Totals" className={`panel ${classes.totals}`}>
      {[undefined, ...petStatuses].map((status) => (
        <Total key={status ?? 'all'} status={status} />
      ))}
    </nav>
  );
}

function Total({ status }: { status: PetStatus | undefined }) {
  const { data: count } = useQuery(petCountQuery(status));
  return (
    <Link to="/pets" search={status ? { status } : {}} className={classes.total}>
      <span>{status ? <StatusBadge status={status} /> : 'All animals'}</span>
      <strong>{typeof count === 'number' ? formatCount(count) : '\u2007'}</strong>
    </Link>
  );
}

type StatusCounts = CategoryCount['counts'];

/** Those with a name and those of the animals that this device knows, with the most available ones first. */
function Categories() {
  const known = useKnownPets();
  const { names } = useCategoryNames();
  // Deferred, and empty at first: the links of many categories would block the page.
  const rows = useDeferredValue(useCategoryRows(names), noRows);
  const isCounted = known.isComplete || known.searched > 0;
  const highest = highestOf(rows.map(({ counts }) => counts));
  return (
    <Section
      title="Animals by category"
      className={classes.categories}
      aside={
        <p role="status" className="note">
          {knownText(known, 'Counted')}
        </p>
      }
    >
      <table style={digitsStyle(highest)}>
        <thead>
          <tr>
            <th scope="col">Category</th>
            {petStatuses.map((status) => (
              <th key={status} scope="col">
                {statusLabels[status]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ categoryId, counts }) => (
            <CategoryRow
              key={String(categoryId)}
              id={String(categoryId)}
              name={categoryName(categoryId, names)}
              counts={isCounted ? counts : undefined}
              highest={highest}
            />
          ))}
        </tbody>
      </table>
    </Section>
  );
}

const noRows: CategoryCount[] = [];
const noAnimals: StatusCounts = { available: 0, pending: 0, sold: 0 };

/** While the animals are still read, each category stays where it appeared. */
function useCategoryRows(names: CategoryNames): CategoryCount[] {
  const { searched, updatedAt, isComplete } = useKnownPets();
  const { data: counted = [] } = useQuery({
    queryKey: ['known', 'categories', searched, updatedAt],
    queryFn: async () => countCategories({}),
    placeholderData: (previous) => previous,
  });
  const [order, setOrder] = useState<readonly bigint[]>([]);
  const ids = [...new Set([...order, ...names.keys(), ...counted.map(({ categoryId }) => categoryId)])];
  if (ids.length > order.length) setOrder(ids);
  const countsOf = new Map(counted.map(({ categoryId, counts }) => [categoryId, counts]));
  const rows = ids.map((categoryId) => ({ categoryId, counts: countsOf.get(categoryId) ?? noAnimals }));
  if (!isComplete) return rows;
  return rows.toSorted((a, b) => b.counts.available - a.counts.available || sumOf(b) - sumOf(a));
}

/** The highest number of each status: the bars of a column have one scale. */
function highestOf(counts: readonly StatusCounts[]): StatusCounts {
  const highest = (status: PetStatus) => Math.max(1, ...counts.map((count) => count[status]));
  return { available: highest('available'), pending: highest('pending'), sold: highest('sold') };
}

/** The numbers are as wide as the longest one, so that all bars of a column start at one place. */
function digitsStyle(highest: StatusCounts): CSSProperties {
  const digits = Math.max(...Object.values(highest).map((count) => formatCount(count).length));
  return { '--digits': digits } as CSSProperties;
}

interface CategoryRowProps {
  id: string;
  name: string;
  /** `undefined` until this device knows animals. */
  counts: StatusCounts | undefined;
  highest: StatusCounts;
}

function CategoryRow({ id, name, counts, highest }: CategoryRowProps) {
  return (
    <tr>
      <th scope="row">
        <CategoryLink id={id} name={name} />
      </th>
      {petStatuses.map((status) => (
        <td key={status}>
          <Link
            to="/pets"
            search={{ category: [id], status }}
            className="plainLink"
            aria-label={`${name}, ${statusLabels[status].toLowerCase()}: ${counts ? formatCount(counts[status]) : 'not counted yet'}`}
          >
            <ShareBar status={status} share={counts ? counts[status] / highest[status] : 0} />
            <span className={classes.count}>{counts ? formatCount(counts[status]) : '\u2007'}</span>
          </Link>
        </td>
      ))}
    </tr>
  );
}

function CategoryLink({ id, name }: { id: string; name: string }) {
  return (
    <Link to="/pets" search={{ category: [id] }} className="plainLink">
      <bdi>{name}</bdi>
    </Link>
  );
}

/** `share` is from 0 to 1: the whole length is the category with the most animals of this status. */
function ShareBar({ status, share }: { status: PetStatus; share: number }) {
  return (
    <span className={classes.bar} aria-hidden="true">
      <span data-status={status} hidden={share === 0} style={{ inlineSize: `${share * 100}%` }} />
    </span>
  );
}

/** What any device has added today, and since the last look at this page. */
function NewAnimals() {
  const { data, dataUpdatedAt } = useQuery(petListQuery({}));
  const newestId = data && (data.pets[0]?.id ?? 0n);
  const mark = newestId === undefined ? undefined : { id: String(newestId), at: dataUpdatedAt };
  const visits = mark ? afterVisit(readVisits(), mark) : readVisits();
  const today = todayMark(visits);
  useEffect(() => {
    if (newestId !== undefined) noteVisit(newestId, dataUpdatedAt);
  }, [newestId, dataUpdatedAt]);
  return (
    <Section title="New animals">
      <ul className={classes.news}>
        {today ? <NewSince mark={today} label={`Today, since ${formatTime(today.at)}`} /> : <li>Today</li>}
        {visits.previous ? (
          <NewSince mark={visits.previous} label={`Since your last visit, ${formatTime(visits.previous.at)}`} />
        ) : (
          <li className="note">From your next visit on, also what is new since this one.</li>
        )}
      </ul>
    </Section>
  );
}

/** The number of animals, and what to do with them. */
function NewSince({ mark: { id }, label }: { mark: VisitMark; label: string }) {
  const { searched, updatedAt } = useKnownPets();
  const { data: count } = useQuery({
    queryKey: ['known', 'since', id, searched, updatedAt],
    queryFn: async () => (await findPets({ since: BigInt(id) }, { limit: 0 })).count,
    placeholderData: (previous) => previous,
  });
  const hasSome = count !== undefined && count > 0;
  return (
    <li>
      <Link to="/pets" search={{ since: id }} className="plainLink">
        {label}
      </Link>
      <span className={classes.icons} style={{ visibility: hasSome ? 'visible' : 'hidden' }}>
        <ButtonLink to="/export" search={{ since: id }} variant="subtle" aria-label={`Export: ${label}`} title="Export">
          <DownloadIcon />
        </ButtonLink>
        <ButtonLink
          to="/labels"
          search={{ since: id }}
          variant="subtle"
          aria-label={`Print labels: ${label}`}
          title="Print labels"
        >
          <PrinterIcon />
        </ButtonLink>
      </span>
      <strong>{count === undefined ? '\u2007' : formatCount(count)}</strong>
    </li>
  );
}

const newestCount = 10;

function Newest() {
  const { data } = useQuery(petListQuery({}));
  return (
    <Section title="Newest animals">
      <div style={{ minBlockSize: `calc(${newestCount} * var(--row-height))` }}>
        {data ? <PetLines pets={data.pets.slice(0, newestCount)} /> : <LoadingRows count={newestCount} isPlain />}
      </div>
    </Section>
  );
}

function sumOf({ counts: { available, pending, sold } }: { counts: StatusCounts }): number {
  return available + pending + sold;
}
