import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useDeferredValue, useEffect } from 'react';
import { ButtonLink } from '../../shared/button-link.js';
import { PlusIcon } from '../../shared/icons.js';
import { Page } from '../../shared/page.js';
import { rememberSearch } from './back-link.js';
import { parseListSearch } from './list-search.js';
import { Pagination } from './pagination.js';
import { PetList } from './pet-list.js';
import { petListQuery } from './pet-queries.js';
import { StatusFilter } from './status-filter.js';

export function PetListPage() {
  // Parsed again: until the router has corrected the address, it may contain anything.
  const search = useSearch({ from: '/pets', select: parseListSearch, structuralSharing: true });
  // The filter reacts at once, and a hundred rows follow.
  const shownSearch = useDeferredValue(search);
  const list = useQuery(petListQuery(shownSearch));
  const isChanging = shownSearch !== search;
  useEffect(() => rememberSearch(search), [search]);
  const add = (
    <ButtonLink to="/pets/new" leftSection={<PlusIcon />}>
      Add animal
    </ButtonLink>
  );
  return (
    <Page title="Animals" actions={add}>
      <StatusFilter search={search} />
      <PetList search={shownSearch} list={list} isChanging={isChanging} />
      <Pagination search={search} next={isChanging ? undefined : list.data?.next} />
    </Page>
  );
}
