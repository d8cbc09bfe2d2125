import { useMediaQuery } from '@mantine/hooks';
import { type PetPage, PetstoreApiError } from '@petstore/client';
import type { Pet } from '@petstore/contracts';
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { announce } from '../../shared/announcer.js';
import { ErrorNotice } from '../../shared/error-notice.js';
import { ButtonLink } from '../../shared/links.js';
import { ListAge } from './list-age.js';
import { ListRange } from './list-range.js';
import { firstPart, type ListSearch } from './list-search.js';
import { EmptyList, ListSkeleton } from './list-states.js';
import { PetCards } from './pet-cards.js';
import { PetTable } from './pet-table.js';
import classes from './pets.module.css';

interface PetListProps {
  search: ListSearch;
  list: UseQueryResult<PetPage>;
  /** Whether another list is about to take its place. */
  isChanging: boolean;
}

/** The animals of one part, or why there are none. What belongs to another filter is never shown. */
export function PetList({ search, list, isChanging }: PetListProps) {
  const { data, isPending } = list;
  const summary = data && summaryOf(data.pets.length, search);
  useEffect(() => {
    if (summary !== undefined) announce(summary);
  }, [summary]);
  const isAway = isChanging || isPending;
  return (
    <section aria-label="List" aria-busy={isAway}>
      {isAway ? <ListSkeleton rows={12} /> : <ReadList search={search} list={list} />}
    </section>
  );
}

function ReadList({ search, list: { data, error, isFetching, dataUpdatedAt } }: Omit<PetListProps, 'isChanging'>) {
  const queryClient = useQueryClient();
  const refresh = () => void queryClient.refetchQueries({ queryKey: ['pets'], type: 'active' });
  return (
    <>
      {error && (
        <ListError error={error} search={search} isOld={data !== undefined} onRetry={refresh} isRetrying={isFetching} />
      )}
      {data && (
        <>
          <div className={classes.above}>
            <ListRange count={data.pets.length} search={search} />
            <ListAge readAt={dataUpdatedAt} onRefresh={refresh} isRefreshing={isFetching} />
          </div>
          {data.pets.length === 0 ? <EmptyList search={search} /> : <Rows pets={data.pets} />}
        </>
      )}
    </>
  );
}

function Rows({ pets }: { pets: readonly Pet[] }) {
  const isWide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false });
  return isWide ? <PetTable pets={pets} /> : <PetCards pets={pets} />;
}

interface ListErrorProps {
  error: Error;
  search: ListSearch;
  isOld: boolean;
  isRetrying: boolean;
  onRetry: () => void;
}

function ListError({ error, search, isOld, isRetrying, onRetry }: ListErrorProps) {
  const isBadPlace = error instanceof PetstoreApiError && error.code === 'invalid_cursor';
  return (
    <div className={classes.notice}>
      <ErrorNotice error={error} onRetry={onRetry} isRetrying={isRetrying}>
        {isOld && <p>The list below may be old.</p>}
        {isBadPlace && (
          <p>
            <ButtonLink to="/pets" search={firstPart(search)}>
              Show the newest
            </ButtonLink>
          </p>
        )}
      </ErrorNotice>
    </div>
  );
}

function summaryOf(count: number, { status, page = 1 }: ListSearch): string {
  const animals = `${count === 0 ? 'No' : count} ${status ?? ''} ${count === 1 ? 'animal' : 'animals'}`;
  return `${animals.replace(/ +/, ' ')}${page > 1 ? `, page ${page}` : ''}`;
}
