import { useNetwork } from '@mantine/hooks';
import { type PetPage, PetstoreApiError } from '@petstore/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { errorMessage, ReadProblem } from '../../shared/error-notice.js';
import { isSearch } from '../../shared/filter-search.js';
import { announce } from '../../shared/focus.js';
import { AlertIcon, ListIcon, SearchIcon } from '../../shared/icons.js';
import { AddLink, ButtonLink, FirstDay } from '../../shared/links.js';
import { changeList, firstPage, type ListSearch, pageSizeOf } from '../../shared/list-search.js';
import { EmptyState } from '../../shared/page.js';
import { refreshPets } from '../../shared/pet-queries.js';
import { NewAnimals, type NewAnimalsProps } from './new-animals.js';
import { PetTable } from './pet-table.js';
import { useIsSelecting } from './selection.js';

interface PetListProps {
  search: ListSearch;
  list: UseQueryResult<PetPage>;
  page: PetPage | undefined;
  news: NewAnimalsProps;
}

/** Never shows animals of another filter. */
export function PetList({ search, list, page, news }: PetListProps) {
  const { online } = useNetwork();
  const summary = page && summaryText(page.pets.length, search);
  useEffect(() => {
    if (summary !== undefined) announce(summary);
  }, [summary]);
  // While the device is offline, the layout says so.
  const isLoading = list.isPending || (!online && page === undefined);
  return (
    <section aria-label="List" aria-busy={isLoading} data-selecting={useIsSelecting() || undefined}>
      {!isLoading && (
        <>
          <NewAnimals {...news} />
          <ListProblem search={search} list={list} />
        </>
      )}
      {page?.pets.length === 0 && <EmptyList search={search} />}
      {(isLoading || (page && page.pets.length > 0)) && (
        <PetTable pets={isLoading ? undefined : page?.pets} words={search.q} pageSize={pageSizeOf(search)} />
      )}
    </section>
  );
}

/** "20 sold animals, page 2" */
function summaryText(count: number, { status, page = 1 }: ListSearch): string {
  const words = [count === 0 ? 'No' : count, status, count === 1 ? 'animal' : 'animals'];
  return words.filter(Boolean).join(' ') + (page > 1 ? `, page ${page}` : '');
}

/** Explains why there are no rows, or only outdated ones. */
function ListProblem({ search, list }: Pick<PetListProps, 'search' | 'list'>) {
  const { error } = list;
  const code = error instanceof PetstoreApiError ? error.code : undefined;
  if (code === 'invalid_cursor') return <Refusal error={error} actions={<FirstPageLink search={search} />} />;
  if (code === 'insufficient_scope') return <Refusal error={error} actions={<AddLink>Add animal</AddLink>} />;
  return <ReadProblem query={list} onRetry={() => void refreshPets()} />;
}

/** The service does not return this list to this person, now and later. */
function Refusal({ error, actions }: { error: unknown; actions: ReactNode }) {
  const { title, message } = errorMessage(error, 'see animals');
  return (
    <div role="alert">
      <EmptyState icon={<AlertIcon />} title={title} actions={actions}>
        {message}
      </EmptyState>
    </div>
  );
}

function FirstPageLink({ search }: { search: ListSearch }) {
  return (
    <ButtonLink to="/pets" search={firstPage(search)} variant="default">
      Show first page
    </ButtonLink>
  );
}

const withoutFilter = { q: undefined, category: undefined, status: undefined };

function EmptyList({ search }: { search: ListSearch }) {
  const { q, category, status, after } = search;
  const isFiltered = status !== undefined || isSearch(search);
  if (!isFiltered && !after) return <FirstDay />;
  // Other filters may hide animals that have the words.
  const hidesResults = q !== undefined && (category ?? status) !== undefined;
  const [title, text] = emptyTexts(search, hidesResults);
  return (
    <EmptyState
      icon={isFiltered ? <SearchIcon /> : <ListIcon />}
      title={title}
      actions={
        <>
          {after && <FirstPageLink search={search} />}
          {hidesResults && (
            <ButtonLink to="/pets" search={changeList(search, { ...withoutFilter, q })} variant="default">
              Search all animals
            </ButtonLink>
          )}
          {isFiltered && (
            <ButtonLink to="/pets" search={changeList(search, withoutFilter)} variant="default">
              Show all animals
            </ButtonLink>
          )}
        </>
      }
    >
      {text}
    </EmptyState>
  );
}

function emptyTexts(search: ListSearch, hidesResults: boolean): [title: string, text: string] {
  const { q, status, after } = search;
  if (q !== undefined) {
    const text = hidesResults ? 'Search all animals, try fewer words' : 'Try fewer words';
    return [`No animals found for “${q}”`, `${text}, or another spelling.`];
  }
  if (isSearch(search)) return ['No animals found', 'No animal matches these filters.'];
  if (after) return ['No more animals', 'This page was the end of the list.'];
  return [`No ${status} animals`, 'Animals with this status appear here.'];
}
