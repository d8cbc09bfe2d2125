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

/** Starts to load the data or the code that the page at an address needs. */
export function prefetchPage({ pathname, search }: Pick<Location, 'pathname' | 'search'>): void {
  const session = currentSession();
  if (!session) return ignoreErrors(loadSignIn());
  ignoreErrors(queryClient.query(scopesQuery(session.key)));
  ignoreErrors(queryClient.query(categoriesQuery(session.key)));
  if (pathname === '/pets/new') return prefetchNewPetPage();
  if (pathname === '/import') return ignoreErrors(loadImportPage());
  if (pathname === '/overview') return prefetchOverview();
  if (pathname === '/' || pathname === '/pets') return prefetchList(search);
  const id = parsePetId(pathname.replace('/pets/', ''));
  if (id === undefined) return;
  ignoreErrors(loadRecordPage());
  ignoreErrors(queryClient.query(petQuery(id, queryClient)));
}

/** The animals first: the counts can wait. */
function prefetchList(search: string): void {
  const list = parseListSearch(parseSearch(search));
  ignoreErrors(queryClient.query(petListQuery(list)));
  setTimeout(() => prefetchCounts(list));
}

/** The newest animals stand next to the form. */
function prefetchNewPetPage(): void {
  ignoreErrors(loadNewPetPage());
  ignoreErrors(queryClient.query(petListQuery({})));
}

function prefetchOverview(): void {
  ignoreErrors(loadOverviewPage());
  ignoreErrors(queryClient.query(petListQuery({})));
}

function prefetchCounts(list: ListSearch): void {
  for (const status of [undefined, ...petStatuses]) ignoreErrors(queryClient.query(petCountQuery(status, list)));
}

/** The page shows the error when it needs the result. */
function ignoreErrors(work: Promise<unknown>): void {
  work.catch(() => undefined);
}
