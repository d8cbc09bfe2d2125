import { petStatuses } from '@petstore/contracts';
import { focusManager, QueryClient } from '@tanstack/react-query';
import { type ListSearch, parseListSearch } from '../shared/list-search.js';
import { parseSearch } from '../shared/filter-search.js';
import { parsePetId } from '../shared/pet-id.js';
import { petCountQuery, petListQuery, petQuery } from '../shared/pet-queries.js';
import { currentSession } from '../shared/session.js';
import { categoriesQuery, scopesQuery } from '../shared/store-info.js';
import { loadImportPage, loadNewPetPage, loadOverviewPage, loadRecordPage, loadSignIn } from './lazy-chunks.js';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // By default, requests wait in silence while the browser is offline. Staff should see the error instead.
      networkMode: 'always',
      // The client library retries.
      retry: false,
      // Data that was prefetched before the first render is not requested again.
      staleTime: 5000,
      refetchOnWindowFocus: 'always',
      refetchOnReconnect: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

// By default, only a tab that was hidden refetches, not a window that was behind another one.
focusManager.setEventListener((onFocus) => {
  const listener = () => onFocus();
  addEventListener('visibilitychange', listener);
  addEventListener('focus', listener);
  return () => {
    removeEventListener('visibilitychange', listener);
    removeEventListener('focus', listener);
  };
});

/** Loads the data and the code that the page at an address needs. The page shows the errors when it needs the results. */
export async function prefetchPage({ pathname, search }: Pick<Location, 'pathname' | 'search'>): Promise<void> {
  const session = currentSession();
  const requests = session
    ? [
        queryClient.query(scopesQuery(session.key)),
        queryClient.query(categoriesQuery(session.key)),
        ...pageRequests(pathname, search),
      ]
    : [loadSignIn()];
  await Promise.allSettled(requests);
}

function pageRequests(pathname: string, search: string): Promise<unknown>[] {
  // The newest animals stand next to the form.
  if (pathname === '/pets/new') return [loadNewPetPage(), queryClient.query(petListQuery({}))];
  if (pathname === '/import') return [loadImportPage()];
  if (pathname === '/overview') return [loadOverviewPage(), queryClient.query(petListQuery({}))];
  if (pathname === '/' || pathname === '/pets') return [listRequest(parseListSearch(parseSearch(search)))];
  const id = parsePetId(pathname.replace('/pets/', ''));
  return id === undefined ? [] : [loadRecordPage(), queryClient.query(petQuery(id, queryClient))];
}

/** The animals first: the counts can wait. */
function listRequest(list: ListSearch): Promise<unknown> {
  const counts = [undefined, ...petStatuses].map((status) => petCountQuery(status, list));
  setTimeout(() => void Promise.allSettled(counts.map((count) => queryClient.query(count))));
  return queryClient.query(petListQuery(list));
}
