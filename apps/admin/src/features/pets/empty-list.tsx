import { Group } from '@mantine/core';
import { ButtonLink } from '../../shared/button-link.js';
import { AddLink } from './add-link.js';
import { firstPage, type ListSearch } from './list-search.js';
import classes from './pets.module.css';

export function EmptyList({ search }: { search: ListSearch }) {
  const { status, after } = search;
  return (
    <div className={classes.empty}>
      <h2>{after ? 'No more animals' : status ? `No ${status} animals` : 'No animals yet'}</h2>
      <Group gap="sm" justify="center">
        {after && (
          <ButtonLink to="/pets" search={firstPage(search)} variant="default">
            Show first page
          </ButtonLink>
        )}
        {status && (
          <ButtonLink to="/pets" search={withoutStatus(search)} variant="default">
            Show all animals
          </ButtonLink>
        )}
        {!status && !after && <AddLink>Add the first animal</AddLink>}
      </Group>
    </div>
  );
}

function withoutStatus({ status: _status, ...search }: ListSearch): ListSearch {
  return firstPage(search);
}
