import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type PetStatus, petStatuses } from '@petstore/contracts';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { categoryName, isFound, pickFilter } from '../../shared/filter-search.js';
import { formatCount, statusLabels } from '../../shared/format.js';
import { ChevronDownIcon, DownloadIcon, PrinterIcon, SearchIcon, SortIcon } from '../../shared/icons.js';
import { refreshKnownPets, useKnownPets } from '../../shared/known-pets/known-pets.js';
import { knownText } from '../../shared/known-pets/known-text.js';
import { newSinceText } from '../../shared/known-pets/visits.js';
import { ButtonLink } from '../../shared/links.js';
import { useLazyCode } from '../../shared/load-code.js';
import { Page } from '../../shared/page.js';
import { useCategoryNames } from '../../shared/store-info.js';
import { AddLink, ImportIconLink } from './links.js';
import { firstPage, type ListSearch, parseListSearch, rememberList } from './list-search.js';
import classes from './list.module.css';
import { Pagination } from './pagination.js';
import { PetTable } from './pet-table.js';
import { invalidateFound, petCountQuery, petListQuery } from './pet-queries.js';
import { PrintList } from './print-list.js';
import { SelectButton, SelectionBar } from './selection.js';

const loadCategoryList = () => import('./category-list.js');

export function PetListPage() {
  // Parsed again: until the router has corrected the address, it may contain anything.
  const search = useSearch({ from: '/pets', select: parseListSearch, structuralSharing: true });
  // The filter reacts at once, and a hundred rows follow.
  const shownSearch = useDeferredValue(search);
  const list = useQuery({
    ...petListQuery(shownSearch),
    ...(isFound(shownSearch) && { placeholderData: keepPreviousData }),
  });
  const isReading = useFoundUpdates(search) && list.data?.pets.length === 0;
  const isChanging = shownSearch !== search || isReading;
  useEffect(() => rememberList(search), [search]);
  return (
    <Page
      title={titleOf(search)}
      actions={
        <AddLink size="sm" className={classes.add}>
          Add animal
        </AddLink>
      }
    >
      <div className={classes.list}>
        <Toolbar search={search} />
        {isFound(search) && <FoundState search={search} />}
        <PetTable search={shownSearch} list={list} isChanging={isChanging} />
        <div className={classes.listEnd}>
          <SelectionBar pets={isChanging ? undefined : list.data?.pets} />
          <Pagination search={search} list={isChanging ? undefined : list} />
        </div>
      </div>
    </Page>
  );
}

function titleOf({ q, since }: ListSearch): string {
  if (q !== undefined) return `Results for “${q}”`;
  return since === undefined ? 'Animals' : newSinceText(since);
}

/** Repeats the search when this device knows more animals. Returns whether the first ones are still to come. */
function useFoundUpdates(search: ListSearch): boolean {
  const queryClient = useQueryClient();
  const { searched, isComplete, updatedAt, error } = useKnownPets();
  const isNeeded = isFound(search);
  useEffect(() => {
    if (isNeeded) void refreshKnownPets();
  }, [isNeeded]);
  const isOpening = useRef(true);
  useEffect(() => {
    if (searched > 0 || updatedAt !== undefined) invalidateFound(queryClient, { restarts: !isOpening.current });
    isOpening.current = false;
  }, [queryClient, searched, updatedAt]);
  return isNeeded && !isComplete && error === undefined;
}

function Toolbar({ search }: { search: ListSearch }) {
  return (
    <div className={classes.toolbar}>
      <nav aria-label="Status" className={classes.tabs}>
        {[undefined, ...petStatuses].map((status) => (
          <StatusTab key={status ?? 'all'} status={status} search={search} />
        ))}
      </nav>
      <div className={classes.controls}>
        <WordsField search={search} />
        <CategoryFilter search={search} />
        <OrderSelect search={search} />
        <ListActions search={search} />
      </div>
    </div>
  );
}

function StatusTab({ status, search }: { status: PetStatus | undefined; search: ListSearch }) {
  const { data: count } = useQuery(petCountQuery(status, search));
  return (
    <Link
      to="/pets"
      search={parseListSearch({ ...firstPage(search), status })}
      // By default, "All" is also current in every filtered list.
      activeOptions={{ exact: true }}
      aria-current={search.status === status ? 'page' : undefined}
    >
      {status ? statusLabels[status] : 'All'} <span>{typeof count === 'number' ? formatCount(count) : '\u2007'}</span>
    </Link>
  );
}

/** "Category", or what was chosen. The list of categories loads at the first click. */
function CategoryFilter({ search }: { search: ListSearch }) {
  const { names } = useCategoryNames();
  const { code, loadCode } = useLazyCode(loadCategoryList);
  const [first, ...others] = search.category ?? [];
  const name = first === undefined ? 'Category' : categoryName(BigInt(first), names);
  const label = others.length === 0 ? name : `${name} and ${others.length} more`;
  if (code) return <code.CategoryList search={search} label={label} />;
  return (
    <Button
      variant="default"
      rightSection={<ChevronDownIcon />}
      aria-haspopup="dialog"
      aria-expanded={false}
      onClick={loadCode}
    >
      {label}
    </Button>
  );
}

/** Filters while the person types. */
function WordsField({ search }: { search: ListSearch }) {
  const navigate = useNavigate();
  const [text, setText] = useState(search.q ?? '');
  /** The words in the address that the text has led to, or comes from. */
  const [applied, setApplied] = useState(search.q);
  if (search.q !== applied) {
    setApplied(search.q);
    // The person may be typing the next word.
    if (search.q !== (text.trim() || undefined)) setText(search.q ?? '');
  }
  const apply = useDebouncedCallback((q: string) => {
    void navigate({
      to: '/pets',
      search: parseListSearch({ ...firstPage(search), q }),
      replace: search.q !== undefined,
    });
  }, 200);
  return (
    <TextInput
      type="search"
      aria-label="Filter by words"
      placeholder="Filter"
      leftSection={<SearchIcon />}
      className={classes.words}
      autoComplete="off"
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        apply(value);
      }}
    />
  );
}

function OrderSelect({ search }: { search: ListSearch }) {
  const navigate = useNavigate();
  return (
    <NativeSelect
      aria-label="Order"
      className={classes.order}
      leftSection={<SortIcon />}
      leftSectionPointerEvents="none"
      rightSection={<ChevronDownIcon />}
      data={[
        { value: 'desc', label: 'Newest first' },
        { value: 'asc', label: 'Oldest first' },
      ]}
      value={search.order ?? 'desc'}
      onChange={({ currentTarget }) =>
        void navigate({ to: '/pets', search: parseListSearch({ ...firstPage(search), order: currentTarget.value }) })
      }
    />
  );
}

/** What staff do with the whole list, not only with the page that it shows. */
function ListActions({ search }: { search: ListSearch }) {
  const filter = pickFilter(search);
  return (
    <div className={classes.icons}>
      <ImportIconLink className={classes.narrowOnly} />
      <ButtonLink to="/export" search={filter} variant="subtle" aria-label="Export" title="Export">
        <DownloadIcon />
      </ButtonLink>
      <ButtonLink
        to="/labels"
        search={isFound(search) ? filter : { animals: search.status ?? 'all' }}
        variant="subtle"
        aria-label="Print labels"
        title="Print labels"
      >
        <PrinterIcon />
      </ButtonLink>
      <PrintList search={search} />
      <SelectButton />
    </div>
  );
}

/** How complete the results are, and the way back to all animals. */
function FoundState({ search }: { search: ListSearch }) {
  const known = useKnownPets();
  const { q, category: _categories, since: _since, ...others } = firstPage(search);
  return (
    <p className={classes.found}>
      {q && <bdi className={classes.phoneOnly}>“{q}”</bdi>}
      <span role="status">{knownText(known)}</span>
      <Link to="/pets" search={others}>
        Show all animals
      </Link>
    </p>
  );
}
