import { Button, Group, NativeSelect } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../shared/button-link.js';
import { ChevronLeftIcon, ChevronRightIcon } from '../../shared/icons.js';
import { firstPage, type ListSearch, nextPage, pageSizes, parseListSearch, previousPage } from './list-search.js';

interface PaginationProps {
  search: ListSearch;
  /** The cursor of the next page. */
  next: string | undefined;
}

export function Pagination({ search, next }: PaginationProps) {
  const { page = 1 } = search;
  return (
    <nav aria-label="Pages">
      <Group justify="space-between" mt="md">
        <PageSizeSelect search={search} />
        <Group gap="xs">
          {page > 2 && (
            <ButtonLink to="/pets" search={firstPage(search)} variant="subtle">
              Newest
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
      </Group>
    </nav>
  );
}

interface PageLinkProps {
  to: ListSearch | undefined;
  leftSection?: ReactNode;
  rightSection?: ReactNode;
  children: string;
}

function PageLink({ to, ...button }: PageLinkProps) {
  if (!to) return <Button disabled variant="default" {...button} />;
  return <ButtonLink to="/pets" search={to} variant="default" {...button} />;
}

function PageSizeSelect({ search: { status, limit = pageSizes[0] } }: { search: ListSearch }) {
  const navigate = useNavigate();
  return (
    <NativeSelect
      label="Animals per page"
      data={pageSizes.map(String)}
      value={String(limit)}
      onChange={({ currentTarget }) =>
        void navigate({ to: '/pets', search: parseListSearch({ status, limit: currentTarget.value }) })
      }
    />
  );
}
