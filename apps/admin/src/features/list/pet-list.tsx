import { Group } from '@mantine/core';
import { useMediaQuery, useNetwork } from '@mantine/hooks';
import { type PetPage, PetstoreApiError } from '@petstore/client';
import type { Pet } from '@petstore/contracts';
import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { type CSSProperties, memo, type MouseEvent, useCallback, useEffect, useRef, useState } from 'react';
import { ReadProblem } from '../../shared/error-notice.js';
import { categoryName, isSearch } from '../../shared/filter-search.js';
import { announce } from '../../shared/focus.js';
import { ArrowDownIcon, ArrowUpIcon, ListIcon, SearchIcon } from '../../shared/icons.js';
import { ButtonLink, FirstDay, opensElsewhere } from '../../shared/links.js';
import { EmptyState, LoadingRows } from '../../shared/page.js';
import { PetName, PetTable, StatusBadge } from '../../shared/pet-parts.js';
import { useCategoryNames } from '../../shared/store-info.js';
import { NewAnimals, type NewAnimalsProps } from '../../shared/new-animals.js';
import {
  changeList,
  firstPage,
  type ListSearch,
  pageSizeOf,
  parseListSearch,
  readLastList,
} from '../../shared/list-search.js';
import listClasses from './list.module.css';
import classes from './rows.module.css';
import partClasses from '../../shared/pet-parts.module.css';
import { refreshPets } from '../../shared/pet-queries.js';
import { PetCheckbox, useIsSelecting } from './selection.js';

interface LoadedPetsProps {
  search: ListSearch;
  list: UseQueryResult<PetPage>;
  /** The rows to show. */
  page: PetPage | undefined;
  news: NewAnimalsProps;
  /** Whether another list is about to replace this one. */
  isChanging: boolean;
}

/** Never shows animals of another filter. */
export function PetList({ search, list, page, news, isChanging }: LoadedPetsProps) {
  const { isPending } = list;
  const { online } = useNetwork();
  const summary = page && summaryText(page.pets.length, search);
  useEffect(() => {
    if (summary !== undefined) announce(summary);
  }, [summary]);
  // While the device is offline, the layout says so.
  const isLoading = isChanging || isPending || (!online && page === undefined);
  return (
    <section aria-label="List" aria-busy={isLoading} data-selecting={useIsSelecting() || undefined}>
      {isLoading ? (
        <LoadingRows count={pageSizeOf(search)} />
      ) : (
        <>
          <NewAnimals {...news} />
          <LoadedList search={search} list={list} page={page} />
        </>
      )}
    </section>
  );
}

function LoadedList({ search, list, page }: Pick<LoadedPetsProps, 'search' | 'list' | 'page'>) {
  const { error } = list;
  const queryClient = useQueryClient();
  const refresh = () => void refreshPets(queryClient);
  const isWrongCursor = error instanceof PetstoreApiError && error.code === 'invalid_cursor';
  return (
    <>
      <div className={listClasses.problem}>
        <ReadProblem query={list} hasData={page !== undefined} onRetry={isWrongCursor ? undefined : refresh}>
          {isWrongCursor && (
            <ButtonLink to="/pets" search={firstPage(search)} variant="default">
              Show first page
            </ButtonLink>
          )}
        </ReadProblem>
      </div>
      {page && (page.pets.length === 0 ? <EmptyList search={search} /> : <PetRows pets={page.pets} />)}
    </>
  );
}

/** "20 sold animals, page 2" */
function summaryText(count: number, { status, page = 1 }: ListSearch): string {
  const words = [count === 0 ? 'No' : count, status, count === 1 ? 'animal' : 'animals'];
  return words.filter(Boolean).join(' ') + (page > 1 ? `, page ${page}` : '');
}

function EmptyList({ search }: { search: ListSearch }) {
  const { q, status, after } = search;
  const isFiltered = status !== undefined || isSearch(search);
  if (!isFiltered && !after) return <FirstDay />;
  const [title, text] = emptyTexts(search);
  return (
    <EmptyState
      icon={isFiltered ? <SearchIcon /> : <ListIcon />}
      title={title}
      actions={
        <>
          {after && (
            <ButtonLink to="/pets" search={firstPage(search)} variant="default">
              Show first page
            </ButtonLink>
          )}
          {hidesResults(search) && (
            <ButtonLink to="/pets" search={{ ...withoutFilter(search), ...(q && { q }) }} variant="default">
              Search all animals
            </ButtonLink>
          )}
          {isFiltered && (
            <ButtonLink to="/pets" search={withoutFilter(search)} variant="default">
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

/** What does not exist, and what to do. */
function emptyTexts(search: ListSearch): [title: string, text: string] {
  const { q, status, after } = search;
  if (q !== undefined) {
    const text = hidesResults(search) ? 'Search all animals, try fewer words' : 'Try fewer words';
    return [`No animals found for “${q}”`, `${text}, or another spelling.`];
  }
  if (isSearch(search)) return ['No animals found', 'No animal matches these filters.'];
  if (after) return ['No more animals', 'This page was the end of the list.'];
  return [`No ${status} animals`, 'Animals with this status appear here.'];
}

/** Whether other filters may hide animals that have the words. */
function hidesResults({ q, category, status }: ListSearch): boolean {
  return q !== undefined && (category ?? status) !== undefined;
}

function withoutFilter({ status: _status, q: _words, category: _categories, ...search }: ListSearch): ListSearch {
  return firstPage(search);
}

interface RowsProps {
  pets: readonly Pet[];
}

/** A table, or cards on a narrow screen. */
const PetRows = memo(function PetRows({ pets }: RowsProps) {
  const isWide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false });
  const Shape = isWide ? Rows : Cards;
  return <Shape pets={pets} />;
});

function Rows({ pets }: RowsProps) {
  const { names } = useCategoryNames();
  return (
    <PetTable
      pets={pets}
      className={classes.table}
      style={tableStyle(pets)}
      numberHeading={<NumberHeading />}
      customCells={(pet) => ({
        id: (
          <>
            <PetCheckbox pet={pet} />
            {String(pet.id)}
          </>
        ),
        name: <RowLink pet={pet} category={categoryName(pet.categoryId, names)} />,
        status: <StatusBadge status={pet.status} />,
      })}
    />
  );
}

/** Sorts the list: its order is the order of the numbers. */
function NumberHeading() {
  const navigate = useNavigate();
  const search = useSearch({ from: '/pets', select: parseListSearch, structuralSharing: true });
  const isAscending = search.order === 'asc';
  const turn = () => {
    const order = isAscending ? 'desc' : 'asc';
    void navigate({ to: '/pets', search: changeList(search, { order }) });
  };
  return (
    <th scope="col" aria-sort={isAscending ? 'ascending' : 'descending'}>
      <button type="button" onClick={turn}>
        Number
        {isAscending ? <ArrowUpIcon /> : <ArrowDownIcon />}
      </button>
    </th>
  );
}

/** The column of the numbers is as wide as the longest one. */
function tableStyle(pets: readonly Pet[]): CSSProperties {
  const digits = Math.max(...pets.map(({ id }) => String(id).length));
  return { '--digits': digits } as CSSProperties;
}

function Cards({ pets }: RowsProps) {
  const { names } = useCategoryNames();
  return (
    <ul className={`panel ${classes.cards}`}>
      {pets.map((pet) => (
        <li key={String(pet.id)}>
          <PetCheckbox pet={pet} />
          <RowLink pet={pet} category={categoryName(pet.categoryId, names)} />
          <StatusBadge status={pet.status} />
          <Group component="p" gap="0 1rem" className="note">
            <span>{`Number ${pet.id}`}</span>
            <bdi>{categoryName(pet.categoryId, names)}</bdi>
          </Group>
        </li>
      ))}
    </ul>
  );
}

/**
 * Covers the whole row. A plain link, because each router link follows every change of the address: a hundred of them
 * take longer than everything else in their rows.
 */
function RowLink({ pet, category }: { pet: Pet; category: string }) {
  const { history } = useRouter();
  const path = `/pets/${pet.id}`;
  const open = useCallback(
    (event: MouseEvent<HTMLAnchorElement>) => {
      if (opensElsewhere(event)) return;
      event.preventDefault();
      history.push(event.currentTarget.pathname, { isFromList: true, list: readLastList() });
    },
    [history],
  );
  return (
    <a
      ref={useReturnFocus(path)}
      href={path}
      data-row
      className={partClasses.rowLink}
      // The link covers both texts, which may be cut.
      title={`${pet.name} · ${category}`}
      onClick={open}
    >
      <PetName name={pet.name} />
    </a>
  );
}

/** Moves the focus to the row of the animal that the person comes back from. */
function useReturnFocus(path: string) {
  const ref = useRef<HTMLAnchorElement>(null);
  const { state } = useRouter();
  // While the list appears, the router still has the page that was left.
  const [isReturn] = useState(() => state.resolvedLocation?.pathname === path);
  useEffect(() => {
    if (isReturn) ref.current?.focus();
  }, [isReturn]);
  return ref;
}
