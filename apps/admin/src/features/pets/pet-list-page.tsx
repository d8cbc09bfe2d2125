import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { PlusIcon } from '../../shared/icons.js';
import { ButtonLink } from '../../shared/links.js';
import { Page } from '../../shared/page.js';
import { rememberList } from './back-to-list.js';
import { PetList } from './pet-list.js';
import { petListQuery } from './pet-queries.js';
import { StatusFilter } from './status-filter.js';

export function PetListPage() {
  const search = useSearch({ from: '/pets' });
  const list = useQuery(petListQuery(search));
  useEffect(() => rememberList(search), [search]);
  const add = (
    <ButtonLink to="/pets/new" leftSection={<PlusIcon />}>
      Add an animal
    </ButtonLink>
  );
  return (
    <Page title="Animals" actions={add}>
      <StatusFilter search={search} />
      <PetList search={search} list={list} />
    </Page>
  );
}
