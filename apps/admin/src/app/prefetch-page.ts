import { petStatuses } from '@petstore/contracts';
import { listSearch } from '../features/pets/list-search.js';
import { petIdOf } from '../features/pets/pet-id.js';
import { petCountQuery, petListQuery, petQuery } from '../features/pets/pet-queries.js';
import { currentSession } from '../shared/session.js';
import { parseSearch } from './address.js';
import { loadNewPetPage, loadSignIn } from './parts.js';
import { queryClient } from './query-client.js';

/** Begins to read what the page at an address will ask for, and to load the part of the code that it needs. */
export function readFirst({ pathname, search }: Pick<Location, 'pathname' | 'search'>): void {
  if (!currentSession()) return begin(loadSignIn());
  if (pathname === '/pets/new') return begin(loadNewPetPage());
  if (pathname === '/' || pathname === '/pets') return readList(search);
  const id = petIdOf(pathname.replace('/pets/', ''));
  if (id !== undefined) begin(queryClient.query(petQuery(id, queryClient)));
}

/** The animals before the counts: they are what one waits for. */
function readList(search: string): void {
  begin(queryClient.query(petListQuery(listSearch(parseSearch(search)))));
  setTimeout(() => {
    for (const status of [undefined, ...petStatuses]) begin(queryClient.query(petCountQuery(status)));
  });
}

/** What fails says so where it is shown. */
function begin(work: Promise<unknown>): void {
  work.catch(() => undefined);
}
