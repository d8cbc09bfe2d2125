import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { listSearch } from '../features/pets/list-search.js';
import { PetListPage } from '../features/pets/pet-list-page.js';
import { PetPage } from '../features/pets/pet-page.js';
import { parseSearch, stringifySearch } from './address.js';
import { Layout } from './layout.js';
import { NotFoundPage } from './not-found-page.js';
import { PageError } from './page-error.js';
import { loadNewPetPage } from './parts.js';

const root = createRootRoute({ component: Layout, notFoundComponent: NotFoundPage, errorComponent: PageError });

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
  validateSearch: listSearch,
});

const add = createRoute({
  getParentRoute: () => root,
  path: '/pets/new',
  component: lazyRouteComponent(loadNewPetPage, 'NewPetPage'),
});

const view = createRoute({
  getParentRoute: () => root,
  path: '/pets/$petId',
  component: PetPage,
});

export const router = createRouter({
  routeTree: root.addChildren([home, list, add, view]),
  parseSearch,
  stringifySearch,
  // The address loses what the page does not know.
  search: { strict: true },
  defaultErrorComponent: PageError,
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
