import { Group, NativeSelect } from '@mantine/core';
import type { PetPage } from '@petstore/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { formatCount } from '../../shared/format.js';
import { ChevronLeftIcon, ChevronRightIcon } from '../../shared/icons.js';
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
import { petCountQuery } from '../../shared/pet-queries.js';

interface PageFooterProps {
  search: ListSearch;
  /** `undefined` while another list is about to replace the visible one. */
  list: PetPage | undefined;
}

/** "21–40 of 260", the page size, and the other pages. */
export function PageFooter({ search, list }: PageFooterProps) {
  const navigate = useNavigate();
  const { data: total } = useQuery(petCountQuery(search.status, search));
  // The empty list explains what to do.
  if (list?.pets.length === 0) return null;
  return (
    <Group gap="0.5rem 1.25rem" p="0.5rem 0.5rem 0.5rem 1rem" fz="sm" c="dimmed" className="compact">
      {list && <span>{rangeText(list.pets.length, search, total)}</span>}
      <NativeSelect
        ml="auto"
        display="inline-flex"
        style={{ alignItems: 'center', gap: '0.75rem' }}
        label="Animals per page"
        labelProps={{ c: 'dimmed', fw: 400, fz: 'sm' }}
        data={pageSizes.map(String)}
        value={String(pageSizeOf(search))}
        onChange={({ currentTarget }) => {
          const limit = pageSizes.find((size) => String(size) === currentTarget.value);
          void navigate({ to: '/pets', search: changeList(search, { limit }) });
        }}
      />
      {/* While a page loads, it keeps the focus. */}
      {(!list || search.page || list.next) && <Pager search={search} next={list?.next} />}
    </Group>
  );
}

/** The router marks a link to the current page, also a disabled one. */
const noPage: ListSearch = { page: 0 };

function Pager({ search, next }: { search: ListSearch; next: string | undefined }) {
  const previousSearch = previousPage(search);
  const nextSearch = next === undefined ? undefined : nextPage(search, next);
  // Without a target, they stay focusable: the focus must not get lost while the next page loads.
  const button = { to: '/pets', tabIndex: 0, variant: 'default' } as const;
  return (
    <Group component="nav" gap="xs" aria-label="Pages">
      {search.page !== undefined && search.page > 2 && (
        <ButtonLink to="/pets" search={firstPage(search)} variant="subtle">
          First page
        </ButtonLink>
      )}
      <ButtonLink
        {...button}
        search={previousSearch ?? noPage}
        disabled={!previousSearch}
        leftSection={<ChevronLeftIcon />}
      >
        Previous
      </ButtonLink>
      <ButtonLink {...button} search={nextSearch ?? noPage} disabled={!nextSearch} rightSection={<ChevronRightIcon />}>
        Next
      </ButtonLink>
    </Group>
  );
}

function rangeText(count: number, search: ListSearch, total?: number | null): string {
  const first = ((search.page ?? 1) - 1) * pageSizeOf(search) + 1;
  const last = first + count - 1;
  const range = `${formatCount(first)}–${formatCount(last)}`;
  return total && total >= last ? `${range} of ${formatCount(total)}` : range;
}
