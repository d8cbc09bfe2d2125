import { Group, NativeSelect } from '@mantine/core';
import type { PetPage } from '@petstore/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../shared/button-link.js';
import { ChevronLeftIcon, ChevronRightIcon } from '../../shared/icons.js';
import { ListInfo } from './list-info.js';
import { firstPage, type ListSearch, nextPage, pageSizes, parseListSearch, previousPage } from './list-search.js';
import classes from './pets.module.css';

interface PaginationProps {
  search: ListSearch;
  /** `undefined` while another list is about to replace the visible one. */
  list: UseQueryResult<PetPage> | undefined;
}

export function Pagination({ search, list }: PaginationProps) {
  const { page = 1 } = search;
  const next = list?.data?.next;
  return (
    <nav aria-label="Pages" className={classes.pages}>
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
      label="Animals per page"
      data={pageSizes.map(String)}
      value={String(search.limit ?? pageSizes[0])}
      onChange={({ currentTarget }) =>
        void navigate({ to: '/pets', search: parseListSearch({ ...firstPage(search), limit: currentTarget.value }) })
      }
    />
  );
}
