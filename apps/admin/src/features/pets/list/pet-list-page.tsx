import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type MouseEvent, useDeferredValue, useEffect, useRef } from 'react';
import { type FilterPart, filterParts, type FilterSearch, isFound } from '../../../shared/filter-search.js';
import { useFocusFallback } from '../../../shared/focus.js';
import { CloseIcon } from '../../../shared/icons.js';
import { refreshKnownPets, useKnownPets } from '../../../shared/known-pets/known-pets.js';
import { knownText } from '../../../shared/known-pets/known-text.js';
import { newSinceText } from '../../../shared/known-pets/visits.js';
import { Page } from '../../../shared/page.js';
import { useCategoryNames } from '../../../shared/store-info.js';
import { AddLink } from '../links.js';
import { firstPage, type ListSearch, parseListSearch, rememberList } from '../list-search.js';
import classes from './list.module.css';
import rowClasses from './rows.module.css';
import { Pagination } from './pagination.js';
import { invalidateFound, petListQuery } from '../pet-queries.js';
import { PetList } from './pet-list.js';
import { SelectionBar } from './selection.js';
import { Toolbar } from './toolbar.js';

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
        <FilterState search={search} />
        <PrintedPart page={search.page} next={list.data?.next} />
        <PetList search={shownSearch} list={list} isChanging={isChanging} />
        <div className={classes.listEnd}>
          <SelectionBar pets={isChanging ? undefined : list.data?.pets} />
          <Pagination search={search} list={isChanging ? undefined : list} />
        </div>
      </div>
    </Page>
  );
}

/** What a print by the menu of the browser leaves out. Only on paper. */
function PrintedPart({ page = 1, next }: { page: number | undefined; next: string | undefined }) {
  if (page === 1 && next === undefined) return null;
  return (
    <p className={rowClasses.printedPart}>
      {`This is page ${page} of the list. To print all pages, use “Print list” above the list.`}
    </p>
  );
}

function titleOf({ q, since }: ListSearch): string {
  if (q !== undefined) return `Results for “${q}”`;
  return since === undefined ? 'Animals' : newSinceText(since);
}

/** Repeats the search when this device knows more animals, or the names of categories. Returns whether the first ones are still to come. */
function useFoundUpdates(search: ListSearch): boolean {
  const queryClient = useQueryClient();
  const { searched, isComplete, updatedAt, namedCategories, error } = useKnownPets();
  const isNeeded = isFound(search);
  useEffect(() => {
    if (isNeeded) void refreshKnownPets();
  }, [isNeeded]);
  const isOpening = useRef(true);
  useEffect(() => {
    const isKnown = searched > 0 || updatedAt !== undefined || namedCategories !== undefined;
    if (isKnown) invalidateFound(queryClient, { restarts: !isOpening.current });
    isOpening.current = false;
  }, [queryClient, searched, updatedAt, namedCategories]);
  return isNeeded && !isComplete && error === undefined;
}

/** What the list is filtered by, and how much of the store this device knows. */
function FilterState({ search }: { search: ListSearch }) {
  const { names } = useCategoryNames();
  const known = useKnownPets();
  const parts = filterParts(search, names);
  if (parts.length === 0) return null;
  return (
    <div className={classes.filters}>
      <Chips search={search} parts={parts} />
      {isFound(search) && (
        <p role="status" className="note">
          {knownText(known)}
        </p>
      )}
    </div>
  );
}

/** Each removes one part of the filter. */
function Chips({ search, parts }: { search: ListSearch; parts: readonly FilterPart[] }) {
  const ref = useFocusFallback<HTMLUListElement>();
  const navigate = useNavigate();
  const { limit, order } = firstPage(search);
  const show = (others: FilterSearch) =>
    void navigate({ to: '/pets', search: parseListSearch({ limit, order, ...others }) });
  const remove = ({ others }: FilterPart, { currentTarget }: MouseEvent) => {
    // This chip is about to disappear.
    currentTarget.closest('li')?.nextElementSibling?.querySelector('button')?.focus();
    show(others);
  };
  return (
    <ul ref={ref} aria-label="Filters" className={classes.chips}>
      {parts.map((part) => (
        <li key={part.label}>
          <button type="button" aria-label={`Remove ${part.label}`} onClick={(event) => remove(part, event)}>
            <bdi>{part.label}</bdi>
            <CloseIcon />
          </button>
        </li>
      ))}
      <li>
        <button type="button" onClick={() => show({})}>
          Clear all
        </button>
      </li>
    </ul>
  );
}
