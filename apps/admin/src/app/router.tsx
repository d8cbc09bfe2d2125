import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { parseLabelSearch } from '../features/labels/label-search.js';
import { BackLink } from '../shared/links.js';
import { parseListSearch, readFirstPage } from '../shared/list-search.js';
import { parseFilter, parseSearch, stringifySearch } from '../shared/filter-search.js';
import { parsePetId } from '../shared/pet-id.js';
import { PetListPage } from '../features/list/pet-list-page.js';
import { lazyComponent } from '../shared/load-code.js';
import { LoadingColumns, LoadingPanels, LoadingRows, Page } from '../shared/page.js';
import { ErrorPage, NotFoundPage } from './error-pages.js';
import { Layout } from './layout.js';
import {
  loadExportPage,
  loadGuidePage,
  loadImportPage,
  loadLabelsPage,
  loadNewPetPage,
  loadOverviewPage,
  loadRecordPage,
} from './lazy-chunks.js';

const root = createRootRoute({ component: Layout, notFoundComponent: NotFoundPage, errorComponent: ErrorPage });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/pets', search: readFirstPage(), replace: true });
  },
});

/** The shape of a page whose code is loading. */
const loadingPage = (title: string, content: ReactNode, above?: ReactNode) =>
  function LoadingPage() {
    return (
      <Page title={title} above={above}>
        {content}
      </Page>
    );
  };

const list = createRoute({
  getParentRoute: () => root,
  path: '/pets',
  component: PetListPage,
  validateSearch: parseListSearch,
});

const add = createRoute({
  getParentRoute: () => root,
  path: '/pets/new',
  component: lazyComponent(async () => (await loadNewPetPage()).NewPetPage),
  pendingComponent: loadingPage('Add animal', <LoadingColumns first="minmax(0, 36rem)" />, <BackLink />),
});

const importAnimals = createRoute({
  getParentRoute: () => root,
  path: '/import',
  component: lazyComponent(async () => (await loadImportPage()).ImportPage),
  pendingComponent: loadingPage('Import animals', <LoadingRows count={8} />),
});

const overview = createRoute({
  getParentRoute: () => root,
  path: '/overview',
  component: lazyComponent(async () => (await loadOverviewPage()).OverviewPage),
  pendingComponent: LoadingPanels,
});

const view = createRoute({
  getParentRoute: () => root,
  path: '/pets/$petId',
  component: lazyComponent(async () => (await loadRecordPage()).RecordPage),
  pendingComponent: loadingPage('Animal', <LoadingColumns first="calc(100% - 26rem)" count={6} />, <BackLink />),
  beforeLoad: ({ params }) => {
    const petId = String(parsePetId(params.petId) ?? params.petId);
    // A label or a spreadsheet may have 007 for 7.
    if (petId !== params.petId) throw redirect({ to: '/pets/$petId', params: { petId }, replace: true });
  },
});

const exportRoute = createRoute({
  getParentRoute: () => root,
  path: '/export',
  component: lazyComponent(async () => (await loadExportPage()).ExportPage),
  validateSearch: parseFilter,
});

const labels = createRoute({
  getParentRoute: () => root,
  path: '/labels',
  component: lazyComponent(async () => (await loadLabelsPage()).LabelsPage),
  pendingComponent: loadingPage('Print labels', <LoadingColumns first="22rem" />),
  validateSearch: parseLabelSearch,
});

const guide = createRoute({
  getParentRoute: () => root,
  path: '/guide',
  component: lazyComponent(async () => (await loadGuidePage()).GuidePage),
});

export const router = createRouter({
  routeTree: root.addChildren([home, list, overview, add, importAnimals, exportRoute, labels, guide, view]),
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
  // What scrolls on a touch screen.
  scrollToTopSelectors: ['[data-scroll-restoration-id]'],
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
