import { useQuery } from '@tanstack/react-query';
import { grouped } from '../../shared/grouped.js';
import { type ListSearch, pageSizes } from './list-search.js';
import { petCountQuery } from './pet-queries.js';

interface ListRangeProps {
  /** How many animals are shown. */
  count: number;
  search: ListSearch;
}

/** "21–40 of 260", as far as it is known. */
export function ListRange({ count, search: { status, limit = pageSizes[0], page = 1 } }: ListRangeProps) {
  const { data: total } = useQuery(petCountQuery(status));
  if (count === 0) return <span />;
  const first = (page - 1) * limit + 1;
  const last = first + count - 1;
  const range = `${grouped(first)}–${grouped(last)}`;
  return <span>{total && total >= last ? `${range} of ${grouped(total)}` : range}</span>;
}
