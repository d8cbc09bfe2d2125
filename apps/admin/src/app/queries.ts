import { petStatuses } from '@petstore/contracts';
import { focusManager, QueryClient } from '@tanstack/react-query';
import { parseListSearch } from '../features/pets/list-search.js';
import { parseSearch } from '../shared/filter-search.js';
import { parsePetId } from '../shared/pet-id.js';
import { petCountQuery, petListQuery, petQuery } from '../features/pets/pet-queries.js';
import { currentSession } from '../shared/session.js';
import { categoryNamesQuery, scopesQuery } from '../shared/store-info.js';
import { loadImportPage, loadNewPetPage, loadOverviewPage, loadPetDetailsPage, loadSignIn } from './lazy-chunks.js';

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
  ignoreErrors(queryClient.query(categoryNamesQuery(session.key)));
  if (pathname === '/pets/new') return prefetchNewPetPage();
  if (pathname === '/import') return ignoreErrors(loadImportPage());
  if (pathname === '/overview') return prefetchOverview();
  if (pathname === '/' || pathname === '/pets') return prefetchList(search);
  const id = parsePetId(pathname.replace('/pets/', ''));
  if (id === undefined) return;
  ignoreErrors(loadPetDetailsPage());
  ignoreErrors(queryClient.query(petQuery(id, queryClient)));
}

/** The animals first: the counts can wait. */
function prefetchList(search: string): void {
  ignoreErrors(queryClient.query(petListQuery(parseListSearch(parseSearch(search)))));
  setTimeout(prefetchCounts);
}

/** The newest animals stand next to the form. */
function prefetchNewPetPage(): void {
  ignoreErrors(loadNewPetPage());
  ignoreErrors(queryClient.query(petListQuery({})));
}

function prefetchOverview(): void {
  ignoreErrors(loadOverviewPage());
  prefetchCounts();
  ignoreErrors(queryClient.query(petListQuery({})));
}

function prefetchCounts(): void {
  for (const status of [undefined, ...petStatuses]) ignoreErrors(queryClient.query(petCountQuery(status)));
}

/** The page shows the error when it needs the result. */
function ignoreErrors(work: Promise<unknown>): void {
  work.catch(() => undefined);
}
