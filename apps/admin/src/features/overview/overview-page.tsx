import { Group } from '@mantine/core';
import type { PetPage } from '@petstore/client';
import { type Category, petStatuses, type PetStatus } from '@petstore/contracts';
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useDeferredValue } from 'react';
import { live } from '../../shared/api.js';
import { ReadProblem } from '../../shared/error-notice.js';
import { categoryName } from '../../shared/filter-search.js';
import { formatCount, statusLabels } from '../../shared/format.js';
import { LoadingRows, Page, Section } from '../../shared/page.js';
import { countOf, countsMs, useCategoryNames, useLiveCategories } from '../../shared/store-info.js';
import { AddLink, FirstDay } from '../../shared/links.js';
import { NewAnimals, useSteadyPage } from '../../shared/new-animals.js';
import classes from './overview.module.css';
import { PetLines, StatusBadge } from '../../shared/pet-parts.js';
import { petCountQuery, petListQuery, refreshPets } from '../../shared/pet-queries.js';

const newestFirst = {};

/** How many animals the store has, of which categories, and the newest ones. */
export function OverviewPage() {
  const counts = useLiveCategories(countsMs);
  const list = useQuery({ ...petListQuery(newestFirst), ...live });
  const queryClient = useQueryClient();
  const retry = () => void Promise.all([counts.refetch(), refreshPets(queryClient)]);
  const isEmpty = list.data?.pets.length === 0;
  // Deferred, and empty at first: the links of many categories would block the page.
  const categories = useDeferredValue(counts.data, undefined);
  return (
    <Page
      title="Overview"
      actions={
        isEmpty ? undefined : (
          // The navigation at the bottom of narrow screens has it.
          <AddLink size="sm" visibleFrom="md">
            Add animal
          </AddLink>
        )
      }
    >
      <ReadProblem query={list} hasData={list.data !== undefined} onRetry={retry} />
      {isEmpty ? (
        <FirstDay />
      ) : (
        <div className={classes.page}>
          <Totals />
          <Categories categories={categories} />
          {/* Below the categories on a phone: it appears when they have their place. */}
          {(categories !== undefined || counts.errorUpdateCount > 0) && <Newest latest={list.data} />}
        </div>
      )}
    </Page>
  );
}

/** Counted by the service: it does not list every category without a name. */
function Totals() {
  const queries = petStatuses.map((status) => ({ ...petCountQuery(status), ...live }));
  const counts = useQueries({ queries }).map(({ data }) => data ?? undefined);
  const all = counts.reduce((sum, count) => (sum === undefined || count === undefined ? undefined : sum + count), 0);
  return (
    <Group component="section" gap={0} className="panel" style={{ overflow: 'hidden' }} aria-label="Totals">
      <Total label="All animals" count={all} />
      {petStatuses.map((status, index) => (
        <Total key={status} status={status} label={<StatusBadge status={status} />} count={counts[index]} />
      ))}
    </Group>
  );
}

interface TotalProps {
  status?: PetStatus;
  label: ReactNode;
  count: number | undefined;
}

function Total({ status, label, count }: TotalProps) {
  return (
    <Link to="/pets" search={status ? { status } : {}} className={classes.total}>
      <span className="note">{label}</span>
      <strong>{count === undefined ? '\u2007' : formatCount(count)}</strong>
    </Link>
  );
}

/** In the order of the service: rows that change places would move under the pointer. */
function Categories({ categories }: { categories: readonly Category[] | undefined }) {
  const { names } = useCategoryNames();
  const rows = categories ?? [];
  const largest = Math.max(1, ...rows.map((category) => countOf(category)));
  return (
    <Section title="Animals by category" className={classes.categories}>
      <table>
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
          {rows.map((category) => (
            <CategoryRow
              key={String(category.id)}
              category={category}
              name={categoryName(category.id, names)}
              largest={largest}
            />
          ))}
        </tbody>
      </table>
      {!categories && <LoadingRows count={6} isPlain />}
    </Section>
  );
}

interface CategoryRowProps {
  category: Category;
  name: string;
  /** The number of animals of the largest category, whose bar has the whole length. */
  largest: number;
}

function CategoryRow({ category, name, largest }: CategoryRowProps) {
  const id = String(category.id);
  return (
    <tr>
      <th scope="row">
        <CategoryBar category={category} name={name} largest={largest} />
      </th>
      {petStatuses.map((status) => (
        <td key={status}>
          <Link
            to="/pets"
            search={{ category: [id], status }}
            className="plainLink"
            aria-label={`${name}, ${statusLabels[status].toLowerCase()}: ${formatCount(countOf(category, status))}`}
          >
            {formatCount(countOf(category, status))}
          </Link>
        </td>
      ))}
    </tr>
  );
}

/** The length of the bar is the number of animals. */
function CategoryBar({ category, name, largest }: CategoryRowProps) {
  return (
    <div className={classes.category}>
      <Link to="/pets" search={{ category: [String(category.id)] }} className="plainLink">
        <bdi>{name}</bdi>
      </Link>
      <span className={classes.bar} aria-hidden="true">
        {petStatuses.map((status) => (
          <span
            key={status}
            data-status={status}
            style={{ inlineSize: `${(countOf(category, status) / largest) * 100}%` }}
          />
        ))}
      </span>
    </div>
  );
}

const newestCount = 10;

function Newest({ latest }: { latest: PetPage | undefined }) {
  const { page, ...news } = useSteadyPage(newestFirst, latest);
  return (
    <Section title="Newest animals">
      <NewAnimals {...news} />
      <div style={{ minBlockSize: `calc(${newestCount} * var(--row-height))` }}>
        {page ? <PetLines pets={page.pets.slice(0, newestCount)} /> : <LoadingRows count={newestCount} isPlain />}
      </div>
    </Section>
  );
}
