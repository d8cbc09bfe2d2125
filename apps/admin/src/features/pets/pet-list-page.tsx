import { Group, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useEffect } from 'react';
import { ButtonLink } from '../../shared/button-link.js';
import { Page } from '../../shared/page.js';
import { AddLinks } from './add-link.js';
import { rememberList } from './last-list.js';
import { firstPage, type ListSearch, parseListSearch } from './list-search.js';
import { Pagination } from './pagination.js';
import { PetList } from './pet-list.js';
import { petListQuery } from './pet-queries.js';
import classes from './pets.module.css';
import { SelectButton, SelectionBar } from './selection-bar.js';
import { StatusFilter } from './status-filter.js';

export function PetListPage() {
  // Parsed again: until the router has corrected the address, it may contain anything.
  const search = useSearch({ from: '/pets', select: parseListSearch, structuralSharing: true });
  // The filter reacts at once, and a hundred rows follow.
  const shownSearch = useDeferredValue(search);
  const list = useQuery(petListQuery(shownSearch));
  const isChanging = shownSearch !== search;
  useEffect(() => rememberList(search), [search]);
  return (
    <Page title="Animals" actions={<AddLinks />}>
      <div className={classes.toolbar}>
        <StatusFilter search={search} />
        <Group gap="xs">
          <OrderSelect search={search} />
          <ListActions search={search} />
        </Group>
      </div>
      <PetList search={shownSearch} list={list} isChanging={isChanging} />
      <div className={classes.listEnd}>
        <SelectionBar pets={isChanging ? undefined : list.data?.pets} />
        <Pagination search={search} list={isChanging ? undefined : list} />
      </div>
    </Page>
  );
}

/** What staff do with the whole list, not only with the page that it shows. */
function ListActions({ search: { status } }: { search: ListSearch }) {
  return (
    <Group gap={0} mr="-0.625rem">
      <ButtonLink to="/export" search={{ ...(status && { status }) }} variant="subtle" size="sm">
        Export
      </ButtonLink>
      <ButtonLink to="/labels" search={{ animals: status ?? 'all' }} variant="subtle" size="sm">
        Print labels
      </ButtonLink>
      <SelectButton />
    </Group>
  );
}

function OrderSelect({ search }: { search: ListSearch }) {
  const navigate = useNavigate();
  return (
    <NativeSelect
      aria-label="Order"
      data={[
        { value: 'desc', label: 'Newest first' },
        { value: 'asc', label: 'Oldest first' },
      ]}
      value={search.order ?? 'desc'}
      onChange={({ currentTarget }) =>
        void navigate({ to: '/pets', search: parseListSearch({ ...firstPage(search), order: currentTarget.value }) })
      }
    />
  );
}
