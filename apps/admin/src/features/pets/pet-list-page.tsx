import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useDeferredValue, useEffect } from 'react';
import { PlusIcon } from '../../shared/icons.js';
import { ButtonLink } from '../../shared/links.js';
import { Page } from '../../shared/page.js';
import { rememberList } from './back-to-list.js';
import { listSearch } from './list-search.js';
import { Pager } from './pager.js';
import { PetList } from './pet-list.js';
import { petListQuery } from './pet-queries.js';
import { StatusFilter } from './status-filter.js';

export function PetListPage() {
  // Until the router has put the address right, it still has what does not exist.
  const search = useSearch({ from: '/pets', select: listSearch, structuralSharing: true });
  // A click shows at once that it counts; a hundred rows follow, and leave room for the next one.
  const shown = useDeferredValue(search);
  const list = useQuery(petListQuery(shown));
  const isChanging = shown !== search;
  useEffect(() => rememberList(search), [search]);
  const add = (
    <ButtonLink to="/pets/new" leftSection={<PlusIcon />}>
      Add an animal
    </ButtonLink>
  );
  return (
    <Page title="Animals" actions={add}>
      <StatusFilter search={search} />
      <PetList search={shown} list={list} isChanging={isChanging} />
      <Pager search={search} next={isChanging ? undefined : list.data?.next} />
    </Page>
  );
}
