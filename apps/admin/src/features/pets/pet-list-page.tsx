import { Group, NativeSelect } from '@mantine/core';
import { type PetStatus, petStatuses } from '@petstore/contracts';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useEffect } from 'react';
import { formatCount, statusLabels } from '../../shared/format.js';
import { refreshKnownPets, useKnownPets } from '../../shared/known-pets/known-pets.js';
import { knownText } from '../../shared/known-pets/known-text.js';
import { DownloadIcon, PrinterIcon } from '../../shared/icons.js';
import { ButtonLink } from '../../shared/links.js';
import { Page } from '../../shared/page.js';
import { CategoryFilter } from './category-filter.js';
import { AddLinks, ImportIconLink } from './links.js';
import { firstPage, isFound, type ListSearch, parseListSearch, rememberList } from './list-search.js';
import { Pagination } from './pagination.js';
import { PetList } from './pet-list.js';
import { invalidateFound, petCountQuery, petListQuery } from './pet-queries.js';
import classes from './pets.module.css';
import { SelectButton, SelectionBar } from './selection.js';

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
    <Page title={titleOf(search)} actions={<AddLinks />}>
      <div className={classes.toolbar}>
        <StatusFilter search={search} />
        <Group gap="xs" className={classes.controls}>
          <CategoryFilter search={search} />
          <OrderSelect search={search} />
          <ListActions search={search} />
        </Group>
      </div>
      {isFound(search) && <FoundState search={search} />}
      <PetList search={shownSearch} list={list} isChanging={isChanging} />
      <div className={classes.listEnd}>
        <SelectionBar pets={isChanging ? undefined : list.data?.pets} />
        <Pagination search={search} list={isChanging ? undefined : list} />
      </div>
    </Page>
  );
}

function titleOf({ q, since }: ListSearch): string {
  if (q !== undefined) return `Results for “${q}”`;
  return since === undefined ? 'Animals' : `Added after number ${since}`;
}

/** Repeats the search when this device knows more animals. Returns whether the first ones are still to come. */
function useFoundUpdates(search: ListSearch): boolean {
  const queryClient = useQueryClient();
  const { searched, isComplete, updatedAt, error } = useKnownPets();
  const isNeeded = isFound(search);
  useEffect(() => {
    if (isNeeded) void refreshKnownPets();
  }, [isNeeded]);
  useEffect(() => {
    if (searched > 0 || updatedAt !== undefined) invalidateFound(queryClient);
  }, [queryClient, searched, updatedAt]);
  return isNeeded && !isComplete && error === undefined;
}

/** What the results are about, how complete they are, and the way back to all animals. */
function FoundState({ search }: { search: ListSearch }) {
  const known = useKnownPets();
  const { q: _words, category: _categories, since: _since, ...others } = firstPage(search);
  return (
    <p className={classes.found}>
      <span role="status">{knownText(known)}</span>
      <Link to="/pets" search={others}>
        Show all animals
      </Link>
    </p>
  );
}

/** What staff do with the whole list, not only with the page that it shows. */
function ListActions({ search }: { search: ListSearch }) {
  const { status } = search;
  // Results are selected, then printed.
  if (isFound(search)) return <SelectButton />;
  return (
    <Group gap={0} wrap="nowrap">
      <ImportIconLink />
      <ButtonLink
        to="/export"
        search={{ ...(status && { status }) }}
        variant="subtle"
        className={classes.iconButton}
        aria-label="Export"
        title="Export"
      >
        <DownloadIcon />
      </ButtonLink>
      <ButtonLink
        to="/labels"
        search={{ animals: status ?? 'all' }}
        variant="subtle"
        className={classes.iconButton}
        aria-label="Print labels"
        title="Print labels"
      >
        <PrinterIcon />
      </ButtonLink>
      <SelectButton />
    </Group>
  );
}

function OrderSelect({ search }: { search: ListSearch }) {
  const navigate = useNavigate();
  return (
    <NativeSelect
      aria-label="Order"
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

function StatusFilter({ search }: { search: ListSearch }) {
  return (
    <nav aria-label="Status" className={classes.filter}>
      {[undefined, ...petStatuses].map((status) => (
        <StatusLink key={status ?? 'all'} status={status} search={search} />
      ))}
    </nav>
  );
}

function StatusLink({ status, search }: { status: PetStatus | undefined; search: ListSearch }) {
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
