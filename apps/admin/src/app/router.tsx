import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { NewPetPage } from '../features/add/new-pet-page.js';
import { parseLabelSearch } from '../features/labels/label-search.js';
import { PetListPage } from '../features/list/pet-list-page.js';
import { RecordPage } from '../features/record/record-page.js';
import { parseFilter, parseSearch, stringifySearch } from '../shared/filter-search.js';
import { parseListSearch } from '../shared/list-search.js';
import { LoadingRows } from '../shared/page.js';
import { parsePetId } from '../shared/pet-id.js';
import { petListQuery, petQuery } from '../shared/pet-queries.js';
import { queryClient } from '../shared/query-client.js';
import { ErrorPage, NotFoundPage } from './error-pages.js';
import { Layout } from './layout.js';

const root = createRootRoute({ component: Layout, notFoundComponent: NotFoundPage, errorComponent: ErrorPage });

/** The code of a page did not load: the network is down, or the server has a newer version. */
class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded';

  constructor(override readonly cause: unknown) {
    super('The code of this page did not load', { cause });
  }
}

/** A page that few people need at the counter: its code loads when it opens. */
function lazyPage<Module extends Record<string, unknown>>(load: () => Promise<Module>, name: keyof Module & string) {
  // The router reloads the page for the errors of browsers, also while the network is down.
  const loadOrThrow = () =>
    load().catch((cause: unknown) => {
      throw new PageNotLoaded(cause);
    });
  return lazyRouteComponent(loadOrThrow, name);
}

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/pets', replace: true });
  },
});

const list = createRoute({
  getParentRoute: () => root,
  path: '/pets',
  component: PetListPage,
  validateSearch: parseListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps, cause }) => {
    // The page shows an error.
    const rows = queryClient.query(petListQuery(deps)).catch(() => undefined);
    // A page that opens needs its rows to restore the scroll position. A page with another filter reacts at once.
    return cause === 'stay' ? undefined : rows;
  },
  // The page itself shows that its rows load.
  pendingComponent: PetListPage,
});

const add = createRoute({ getParentRoute: () => root, path: '/pets/new', component: NewPetPage });

const importAnimals = createRoute({
  getParentRoute: () => root,
  path: '/import',
  component: lazyPage(() => import('../features/import/import-page.js'), 'ImportPage'),
});

const overview = createRoute({
  getParentRoute: () => root,
  path: '/overview',
  component: lazyPage(() => import('../features/overview/overview-page.js'), 'OverviewPage'),
});

const view = createRoute({
  getParentRoute: () => root,
  path: '/pets/$petId',
  component: RecordPage,
  beforeLoad: ({ params }) => {
    const petId = String(parsePetId(params.petId) ?? params.petId);
    // A label or a spreadsheet may have 007 for 7.
    if (petId !== params.petId) throw redirect({ to: '/pets/$petId', params: { petId }, replace: true });
  },
  loader: ({ params }) => {
    const id = parsePetId(params.petId);
    if (id !== undefined) queryClient.query(petQuery(id)).catch(() => undefined);
  },
});

const exportAnimals = createRoute({
  getParentRoute: () => root,
  path: '/export',
  component: lazyPage(() => import('../features/export/export-page.js'), 'ExportPage'),
  validateSearch: parseFilter,
});

const labels = createRoute({
  getParentRoute: () => root,
  path: '/labels',
  component: lazyPage(() => import('../features/labels/labels-page.js'), 'LabelsPage'),
  validateSearch: parseLabelSearch,
});

const guide = createRoute({
  getParentRoute: () => root,
  path: '/guide',
  component: lazyPage(() => import('../features/guide/guide-page.js'), 'GuidePage'),
});

export const router = createRouter({
  routeTree: root.addChildren([home, list, overview, add, importAnimals, exportAnimals, labels, guide, view]),
  parseSearch,
  stringifySearch,
  // Removes unknown parameters from the address.
  search: { strict: true },
  defaultErrorComponent: ErrorPage,
  defaultPendingComponent: () => <LoadingRows count={12} />,
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
