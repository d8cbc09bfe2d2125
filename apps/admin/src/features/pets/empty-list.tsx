import { Group } from '@mantine/core';
import { ButtonLink } from '../../shared/button-link.js';
import { PlusIcon } from '../../shared/icons.js';
import { firstPage, type ListSearch } from './list-search.js';
import classes from './pets.module.css';

export function EmptyList({ search }: { search: ListSearch }) {
  const { status, limit, after } = search;
  return (
    <div className={classes.empty}>
      <h2>{after ? 'No more animals' : status ? `No ${status} animals` : 'No animals yet'}</h2>
      <Group gap="sm" justify="center">
        {after && (
          <ButtonLink to="/pets" search={firstPage(search)} variant="default">
            Show newest
          </ButtonLink>
        )}
        {status && (
          <ButtonLink to="/pets" search={limit ? { limit } : {}} variant="default">
            Show all animals
          </ButtonLink>
        )}
        {!status && !after && (
          <ButtonLink to="/pets/new" leftSection={<PlusIcon />}>
            Add the first animal
          </ButtonLink>
        )}
      </Group>
    </div>
  );
}
