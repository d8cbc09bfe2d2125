import { Button, Group, NativeSelect } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import type { PetPage } from '@petstore/client';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { isFound } from '../../../shared/filter-search.js';
import { formatCount } from '../../../shared/format.js';
import { ChevronLeftIcon, ChevronRightIcon, RefreshIcon } from '../../../shared/icons.js';
import { useKnownPets } from '../../../shared/known-pets/known-pets.js';
import { newestText } from '../../../shared/known-pets/known-text.js';
import { ButtonLink } from '../../../shared/links.js';
import {
  changeList,
  firstPage,
  type ListSearch,
  nextPage,
  pageSizeOf,
  pageSizes,
  previousPage,
} from '../list-search.js';
import classes from './list.module.css';
import { petCountQuery, refreshPets } from '../pet-queries.js';

interface PaginationProps {
  search: ListSearch;
  /** `undefined` while another list is about to replace the visible one. */
  list: UseQueryResult<PetPage> | undefined;
}

export function Pagination({ search, list }: PaginationProps) {
  const { page = 1 } = search;
  const next = list?.data?.next;
  // The empty list explains what to do.
  if (page === 1 && list?.data?.pets.length === 0) return null;
  return (
    <nav aria-label="Pages" className={`compact ${classes.pages}`}>
      <PageSizeSelect search={search} />
      {list && <ListInfo search={search} list={list} />}
      <Group gap="xs" ml="auto">
        {page > 2 && (
          <ButtonLink to="/pets" search={firstPage(search)} variant="subtle">
            First page
          </ButtonLink>
        )}
        <PageLink to={previousPage(search)} leftSection={<ChevronLeftIcon />}>
          Previous
        </PageLink>
        <span>Page {page}</span>
        <PageLink to={next === undefined ? undefined : nextPage(search, next)} rightSection={<ChevronRightIcon />}>
          Next
        </PageLink>
      </Group>
    </nav>
  );
}

/** The router marks a link to the current page, also a disabled one. */
const noPage: ListSearch = { page: 0 };

interface PageLinkProps {
  to: ListSearch | undefined;
  leftSection?: ReactNode;
  rightSection?: ReactNode;
  children: string;
}

/** Without a target it stays focusable: the focus must not get lost while the next page loads. */
function PageLink({ to, ...button }: PageLinkProps) {
  return <ButtonLink to="/pets" search={to ?? noPage} disabled={!to} tabIndex={0} variant="default" {...button} />;
}

function PageSizeSelect({ search }: { search: ListSearch }) {
  const navigate = useNavigate();
  return (
    <NativeSelect
      className="besideLabel"
      label="Animals per page"
      data={pageSizes.map(String)}
      value={String(pageSizeOf(search))}
      onChange={({ currentTarget }) =>
        void navigate({ to: '/pets', search: changeList(search, { limit: currentTarget.value }) })
      }
    />
  );
}

interface ListInfoProps {
  search: ListSearch;
  list: UseQueryResult<PetPage>;
}

/** "21–40 of 260 · Updated 5 min ago · Refresh" */
function ListInfo({ search, list: { data, dataUpdatedAt, isFetching } }: ListInfoProps) {
  const queryClient = useQueryClient();
  const known = useKnownPets();
  const { data: total, isPending } = useQuery(petCountQuery(search.status, search));
  // All at once, so that nothing moves.
  if (!data || isPending) return null;
  const count = data.pets.length;
  const newest = isFound(search) && newestText(known);
  return (
    <div className={classes.info}>
      {count > 0 && (
        <span>
          {rangeText(count, search, total)}
          {newest && ` of ${newest}`}
        </span>
      )}
      <UpdatedAt time={new Date(dataUpdatedAt)} />
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<RefreshIcon />}
        onClick={() => refreshPets(queryClient)}
        aria-busy={isFetching}
      >
        Refresh
      </Button>
    </div>
  );
}

function rangeText(count: number, search: ListSearch, total?: number | null): string {
  const { page = 1 } = search;
  const first = (page - 1) * pageSizeOf(search) + 1;
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
