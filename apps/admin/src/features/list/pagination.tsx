import { Button, Group, NativeSelect } from '@mantine/core';
import type { PetPage } from '@petstore/client';
import { useIsFetching, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount } from '../../shared/format.js';
import { ChevronLeftIcon, ChevronRightIcon, RefreshIcon } from '../../shared/icons.js';
import { ButtonLink } from '../../shared/links.js';
import {
  changeList,
  firstPage,
  type ListSearch,
  nextPage,
  pageSizeOf,
  pageSizes,
  previousPage,
} from '../../shared/list-search.js';
import { petCountQuery, petListQuery } from '../../shared/pet-queries.js';

interface PaginationProps {
  search: ListSearch;
  /** `undefined` while another list is about to replace the visible one. */
  list: PetPage | undefined;
  onRefresh: () => void;
}

export function Pagination({ search, list, onRefresh }: PaginationProps) {
  const { page = 1 } = search;
  const next = list?.next;
  // The empty list explains what to do.
  if (page === 1 && list?.pets.length === 0) return null;
  return (
    <Group component="nav" gap="0.5rem 1.25rem" p="0.5rem 1rem" fz="sm" className="compact" aria-label="Pages">
      <PageSizeSelect search={search} />
      {list && <ListInfo search={search} list={list} onRefresh={onRefresh} />}
      <Group gap="xs" ml="auto">
        {page > 2 && (
          <ButtonLink to="/pets" search={firstPage(search)} variant="subtle">
            First page
          </ButtonLink>
        )}
        <PageLink to={previousPage(search)} leftSection={<ChevronLeftIcon />}>
          Previous
        </PageLink>
        <span>{`Page ${page}`}</span>
        <PageLink to={next === undefined ? undefined : nextPage(search, next)} rightSection={<ChevronRightIcon />}>
          Next
        </PageLink>
      </Group>
    </Group>
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

/** "21–40 of 260 · Refresh" */
function ListInfo({ search, list: { pets }, onRefresh }: { search: ListSearch; list: PetPage; onRefresh: () => void }) {
  const { data: total, isPending } = useQuery(petCountQuery(search.status, search));
  const isRefreshing = useIsFetching({ queryKey: petListQuery(search).queryKey }) > 0;
  // All at once, so that nothing moves.
  if (isPending) return null;
  return (
    <Group gap="0 0.75rem" c="dimmed">
      {pets.length > 0 && <span>{rangeText(pets.length, search, total)}</span>}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<RefreshIcon />}
        onClick={onRefresh}
        aria-busy={isRefreshing}
      >
        Refresh
      </Button>
    </Group>
  );
}

function rangeText(count: number, search: ListSearch, total?: number | null): string {
  const { page = 1 } = search;
  const first = (page - 1) * pageSizeOf(search) + 1;
  const last = first + count - 1;
  const range = `${formatCount(first)}–${formatCount(last)}`;
  return total && total >= last ? `${range} of ${formatCount(total)}` : range;
}
