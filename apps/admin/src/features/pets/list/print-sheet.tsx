import type { Pet } from '@petstore/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { createPortal } from 'react-dom';
import { walkPets } from '../../../shared/api.js';
import { errorMessage } from '../../../shared/error-notice.js';
import { announce } from '../../../shared/focus.js';
import { filterText, isFound, toPetFilter } from '../../../shared/filter-search.js';
import { formatAnimals, formatCount } from '../../../shared/format.js';
import { findPets } from '../../../shared/known-pets/known-pets.js';
import { PetTable } from '../../../shared/pet-table.js';
import { useCategoryNames } from '../../../shared/store-info.js';
import type { ListSearch } from '../list-search.js';
import { PetName } from '../pet-parts.js';
import { petListQuery } from '../pet-queries.js';
import classes from './rows.module.css';

/** More rows than this are no list to walk through the store with. */
const maxRows = 1000;

interface Rows {
  pets: readonly Pet[];
  total: number | undefined;
}

/** All animals of a filter, not only those of the visible page. */
async function readAnimals(search: ListSearch, signal: AbortSignal): Promise<Rows> {
  const { status, order = 'desc' } = search;
  if (isFound(search)) {
    const { pets, count } = await findPets(toPetFilter(search), { limit: maxRows, order: search.order });
    return { pets, total: count };
  }
  const pets: Pet[] = [];
  let total: number | undefined;
  for await (const page of walkPets({ status, order, count: true, signal })) {
    pets.push(...page.pets);
    total ??= page.total;
    if (pets.length >= maxRows) break;
  }
  return { pets: pets.slice(0, maxRows), total };
}

interface PrintSheetProps {
  search: ListSearch;
  onDone: () => void;
}

/** What a list is on paper. Opens the print window once it has all rows, or those of the screen if it cannot get them. */
export function PrintSheet({ search, onDone }: PrintSheetProps) {
  const queryClient = useQueryClient();
  const { data, error, dataUpdatedAt } = useQuery({
    queryKey: ['print', search],
    queryFn: ({ signal }) => readAnimals(search, signal),
    gcTime: 0,
    staleTime: Infinity,
  });
  const visible = queryClient.getQueryData(petListQuery(search).queryKey);
  const rows = data ?? (error && visible && { pets: visible.pets, total: undefined });
  const isReady = rows !== undefined && rows !== null;
  const openWindow = useEffectEvent(() => {
    if (error) announce(`${errorMessage(error, 'see animals').title}. Only the animals on the screen are printed.`);
    print();
  });
  const close = useEffectEvent(onDone);
  useEffect(() => {
    if (error && !isReady) close();
    if (!isReady) return undefined;
    addEventListener('afterprint', close);
    openWindow();
    return () => removeEventListener('afterprint', close);
  }, [isReady, error]);
  if (!isReady) return null;
  return createPortal(<Sheet search={search} rows={rows} readAt={dataUpdatedAt} />, document.body);
}

function Sheet({ search, rows: { pets, total }, readAt }: { search: ListSearch; rows: Rows; readAt: number }) {
  const { names } = useCategoryNames();
  return (
    <section className={classes.sheet} aria-label="Printed list">
      <style>{'@page { @bottom-right { content: "Page " counter(page) " of " counter(pages) } }'}</style>
      <h1>{['Animals', filterText(search, names)].filter(Boolean).join(': ')}</h1>
      <p>{countText(pets.length, total, readAt)}</p>
      <PetTable pets={pets} className="" customCells={({ name }) => ({ name: <PetName name={name} /> })} />
    </section>
  );
}

/** "1,240 animals on Nov 20, 2026, 2:02 PM. Only the first 1,000 are printed." */
function countText(printed: number, total: number | undefined, readAt: number): string {
  const time = new Date(readAt || Date.now()).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
  if (total === undefined) return `${formatAnimals(printed)} of the screen on ${time}: the others could not be read.`;
  const cut = total > printed ? ` Only the first ${formatCount(printed)} are printed.` : '';
  return `${formatAnimals(total)} on ${time}.${cut}`;
}
