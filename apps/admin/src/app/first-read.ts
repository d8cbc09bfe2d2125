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
  if (!currentSession()) return preload(loadSignIn);
  if (pathname === '/pets/new') return preload(loadNewPetPage);
  if (pathname === '/' || pathname === '/pets') return readList(search);
  const id = petIdOf(pathname.replace('/pets/', ''));
  if (id !== undefined) void queryClient.prefetchQuery(petQuery(id, queryClient));
}

function readList(search: string): void {
  void queryClient.prefetchQuery(petListQuery(listSearch(parseSearch(search))));
  for (const status of [undefined, ...petStatuses]) void queryClient.prefetchQuery(petCountQuery(status));
}

/** A part that does not load says so where it is shown. */
function preload(load: () => Promise<unknown>): void {
  load().catch(() => undefined);
}
