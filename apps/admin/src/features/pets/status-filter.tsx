import { type PetStatus, petStatuses } from '@petstore/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount } from '../../shared/format-count.js';
import { firstPage, type ListSearch, parseListSearch } from './list-search.js';
import { petCountQuery } from './pet-queries.js';
import classes from './pets.module.css';
import { statusLabels } from '../../shared/status-labels.js';

export function StatusFilter({ search }: { search: ListSearch }) {
  return (
    <nav aria-label="Status" className={classes.filter}>
      {[undefined, ...petStatuses].map((status) => (
        <StatusLink key={status ?? 'all'} status={status} search={search} />
      ))}
    </nav>
  );
}

function StatusLink({ status, search }: { status: PetStatus | undefined; search: ListSearch }) {
  const { data: count } = useQuery(petCountQuery(status));
  return (
    <Link
      to="/pets"
      search={parseListSearch({ ...firstPage(search), status })}
      // By default, "All" is also current in every filtered list.
      activeOptions={{ exact: true }}
      aria-current={search.status === status ? 'page' : undefined}
    >
      {status ? statusLabels[status] : 'All'} <span>{typeof count === 'number' ? formatCount(count) : '\u2007'}</span>
    </Link>
  );
}
