import { PlusIcon } from '../../shared/icons.js';
import { ButtonLink } from '../../shared/links.js';
import { firstPart, type ListSearch } from './list-search.js';
import classes from './pets.module.css';

/** In the place of rows that are on their way. */
export function ListSkeleton({ rows }: { rows: number }) {
  return (
    <div className={classes.skeleton} aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row}>
          <span style={{ width: `${18 + ((row * 37) % 30)}%` }} />
        </div>
      ))}
    </div>
  );
}

/** No animal to show, and what to do about it. */
export function EmptyList({ search }: { search: ListSearch }) {
  const { status, limit, after } = search;
  return (
    <div className={classes.empty}>
      <h2>{after ? 'No more animals here' : emptyTitle(status)}</h2>
      <div className={classes.actions}>
        {after && (
          <ButtonLink to="/pets" search={firstPart(search)} variant="default">
            Show the newest
          </ButtonLink>
        )}
        {status && (
          <ButtonLink to="/pets" search={limit ? { limit } : {}} variant="default">
            Show animals of any status
          </ButtonLink>
        )}
        {!status && !after && (
          <ButtonLink to="/pets/new" leftSection={<PlusIcon />}>
            Add the first animal
          </ButtonLink>
        )}
      </div>
    </div>
  );
}

function emptyTitle(status: ListSearch['status']): string {
  return status ? `No ${status} animals` : 'No animals yet';
}
