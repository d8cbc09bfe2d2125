import { Box } from '@mantine/core';
import { type PetPage, PetstoreApiError } from '@petstore/client';
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { announce } from '../../shared/announcer.js';
import { ButtonLink } from '../../shared/button-link.js';
import { ErrorNotice } from '../../shared/error-notice.js';
import { LoadingRows } from '../../shared/loading-rows.js';
import { EmptyList } from './empty-list.js';
import { firstPage, type ListSearch, pageSizes } from './list-search.js';
import { PetRows } from './pet-rows.js';

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
