import { Button } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import type { PetPage } from '@petstore/client';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount } from '../../shared/format-count.js';
import { RefreshIcon } from '../../shared/icons.js';
import { type ListSearch, pageSizes } from './list-search.js';
import { petCountQuery } from './pet-queries.js';
import classes from './pets.module.css';

interface ListInfoProps {
  search: ListSearch;
  list: UseQueryResult<PetPage>;
}

/** "21–40 of 260 · Updated 5 min ago · Refresh" */
export function ListInfo({ search, list: { data, dataUpdatedAt, isFetching } }: ListInfoProps) {
  const queryClient = useQueryClient();
  const { data: total, isPending } = useQuery(petCountQuery(search.status));
  // All at once, so that nothing moves.
  if (!data || isPending) return null;
  const count = data.pets.length;
  return (
    <div className={classes.info}>
      {count > 0 && <span>{rangeText(count, search, total)}</span>}
      <UpdatedAt time={new Date(dataUpdatedAt)} />
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<RefreshIcon />}
        onClick={() => void queryClient.refetchQueries({ queryKey: ['pets'], type: 'active' })}
        aria-busy={isFetching}
      >
        Refresh
      </Button>
    </div>
  );
}

function rangeText(count: number, { limit = pageSizes[0], page = 1 }: ListSearch, total?: number | null): string {
  const first = (page - 1) * limit + 1;
  const last = first + count - 1;
  const range = `${formatCount(first)}–${formatCount(last)}`;
  return total && total >= last ? `${range} of ${formatCount(total)}` : range;
}

function UpdatedAt({ time }: { time: Date }) {
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), 15_000, { autoInvoke: true });
  const minutes = Math.floor((now - time.getTime()) / 60_000);
  return <time dateTime={time.toISOString()}>Updated {ageText(minutes, time)}</time>;
}

function ageText(minutes: number, time: Date): string {
  if (minutes < 1) return 'just now';
  return minutes < 60 ? `${minutes} min ago` : time.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}
