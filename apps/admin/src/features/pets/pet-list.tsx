import { Box, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type PetPage, PetstoreApiError } from '@petstore/client';
import type { Pet } from '@petstore/contracts';
import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { memo, type MouseEvent, useCallback, useEffect, useRef, useState } from 'react';
import { ErrorNotice } from '../../shared/error-notice.js';
import { announce } from '../../shared/focus.js';
import { ButtonLink } from '../../shared/links.js';
import { LoadingRows } from '../../shared/page.js';
import { type CategoryNames, useCategoryNames } from '../../shared/store-info.js';
import { AddLink } from './links.js';
import { firstPage, isFound, type ListSearch, pageSizes, readLastList } from './list-search.js';
import { CategoryText, PetCard, PetName, StatusBadge } from './pet-parts.js';
import classes from './pets.module.css';
import { PetCheckbox, useIsSelecting } from './selection.js';

interface PetListProps {
  search: ListSearch;
  list: UseQueryResult<PetPage>;
  /** Whether another list is about to replace this one. */
  isChanging: boolean;
}

/** Never shows animals of another filter. */
export function PetList({ search, list, isChanging }: PetListProps) {
  const { data, isPending } = list;
  const summary = data && summaryText(data.pets.length, search);
  useEffect(() => {
    if (summary !== undefined) announce(summary);
  }, [summary]);
  const isLoading = isChanging || isPending;
  return (
    <section aria-label="List" aria-busy={isLoading}>
      {isLoading ? <LoadingRows count={pageSizes[0]} /> : <LoadedList search={search} list={list} />}
    </section>
  );
}

function LoadedList({ search, list: { data, error, isFetching } }: Omit<PetListProps, 'isChanging'>) {
  const queryClient = useQueryClient();
  const refresh = () => void queryClient.refetchQueries({ queryKey: ['pets'], type: 'active' });
  const isWrongCursor = error instanceof PetstoreApiError && error.code === 'invalid_cursor';
  return (
    <>
      {error && (
        <Box mb="md">
          <ErrorNotice error={error} onRetry={isWrongCursor ? undefined : refresh} isRetrying={isFetching}>
            {data && <p>The list below may be out of date.</p>}
            {isWrongCursor && (
              <ButtonLink to="/pets" search={firstPage(search)} variant="default">
                Show first page
              </ButtonLink>
            )}
          </ErrorNotice>
        </Box>
      )}
      {data && (data.pets.length === 0 ? <EmptyList search={search} /> : <PetRows pets={data.pets} />)}
    </>
  );
}

/** "20 sold animals, page 2" */
function summaryText(count: number, { status, page = 1 }: ListSearch): string {
  const words = [count === 0 ? 'No' : count, status, count === 1 ? 'animal' : 'animals'];
  return words.filter(Boolean).join(' ') + (page > 1 ? `, page ${page}` : '');
}

function EmptyList({ search }: { search: ListSearch }) {
  const { status, after } = search;
  return (
    <div className={classes.empty}>
      <h2>{emptyText(search)}</h2>
      <Group gap="sm" justify="center">
        {after && (
          <ButtonLink to="/pets" search={firstPage(search)} variant="default">
            Show first page
          </ButtonLink>
        )}
        {(status ?? isFound(search)) && (
          <ButtonLink to="/pets" search={withoutFilter(search)} variant="default">
            Show all animals
          </ButtonLink>
        )}
        {!status && !after && !isFound(search) && <AddLink>Add the first animal</AddLink>}
      </Group>
    </div>
  );
}

function emptyText(search: ListSearch): string {
  const { q, status, after } = search;
  if (isFound(search)) return q === undefined ? 'No animals found' : `No animals found for “${q}”`;
  if (after) return 'No more animals';
  return status ? `No ${status} animals` : 'No animals yet';
}

function withoutFilter({
  status: _status,
  q: _words,
  category: _categories,
  since: _since,
  ...search
}: ListSearch): ListSearch {
  return firstPage(search);
}

interface PetRowsProps {
  pets: readonly Pet[];
}

interface RowsProps extends PetRowsProps {
  names: CategoryNames;
  isSelecting: boolean;
}

/** A table, or cards on a narrow screen. */
const PetRows = memo(function PetRows({ pets }: PetRowsProps) {
  const isWide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false });
  const Rows = isWide ? Table : Cards;
  return <Rows pets={pets} names={useCategoryNames().names} isSelecting={useIsSelecting()} />;
});

/** In the order of the cells below. A field that is added to the contracts does not compile until it has a column. */
const headings: Record<keyof Pet, string> = { id: 'Number', name: 'Name', categoryId: 'Category', status: 'Status' };

function Table({ pets, names, isSelecting }: RowsProps) {
  const Name = isSelecting ? PetCheckbox : PetLink;
  return (
    <table className={`panel ${classes.table}`}>
      <thead>
        <tr>
          {Object.values(headings).map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {pets.map((pet) => (
          <tr key={String(pet.id)} data-sold={pet.status === 'sold' || undefined}>
            <td>{String(pet.id)}</td>
            <th scope="row">
              <Name pet={pet} />
            </th>
            <td>
              <CategoryText id={pet.categoryId} names={names} />
            </td>
            <td>
              <StatusBadge status={pet.status} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cards({ pets, names, isSelecting }: RowsProps) {
  const Name = isSelecting ? PetCheckbox : PetLink;
  return (
    <ul className={`panel ${classes.cards}`}>
      {pets.map((pet) => (
        <PetCard key={String(pet.id)} pet={pet} names={names}>
          <Name pet={pet} />
        </PetCard>
      ))}
    </ul>
  );
}

/**
 * Covers the whole row. A plain link, because each router link follows every change of the address: a hundred of them
 * take longer than everything else in their rows.
 */
function PetLink({ pet }: { pet: Pet }) {
  const { history } = useRouter();
  const path = `/pets/${pet.id}`;
  const open = useCallback(
    (event: MouseEvent<HTMLAnchorElement>) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      history.push(event.currentTarget.pathname, { isFromList: true, list: readLastList() });
    },
    [history],
  );
  return (
    <a ref={useReturnFocus(path)} href={path} data-row className={classes.rowLink} onClick={open}>
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
