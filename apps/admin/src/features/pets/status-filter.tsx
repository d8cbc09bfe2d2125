import { type PetStatus, petStatuses } from '@petstore/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { grouped } from '../../shared/grouped.js';
import { firstPart, type ListSearch } from './list-search.js';
import { petCountQuery } from './pet-queries.js';
import classes from './pets.module.css';
import { statusLabels } from './status-mark.js';

const choices = [undefined, ...petStatuses];

export function StatusFilter({ search }: { search: ListSearch }) {
  return (
    <nav aria-label="Status" className={classes.filter}>
      {choices.map((status) => (
        <StatusChoice key={status ?? 'all'} status={status} search={search} />
      ))}
    </nav>
  );
}

function StatusChoice({ status, search }: { status: PetStatus | undefined; search: ListSearch }) {
  const { data: count } = useQuery(petCountQuery(status));
  const { limit } = firstPart(search);
  return (
    <Link
      to="/pets"
      search={{ ...(status && { status }), ...(limit && { limit }) }}
      className={classes.choice}
      // By itself a link counts as the current one in every narrower list too.
      activeOptions={{ exact: true }}
      aria-current={search.status === status ? 'page' : undefined}
    >
      {status ? statusLabels[status] : 'All'}{' '}
      <span className={classes.count}>{typeof count === 'number' ? grouped(count) : '\u2007'}</span>
    </Link>
  );
}
