import { readDeviceState, writeDeviceState } from './browser-storage.js';
import { type FilterSearch, parseFilter, pickFilter } from './filter-search.js';

export const pageSizes = [20, 50, 100] as const;
type PageSize = (typeof pageSizes)[number];

/** A list page in the address. All keys are optional, because links to `/pets` have none. */
export interface ListSearch extends FilterSearch {
  limit?: PageSize;
  /** Oldest first; absent: newest first. */
  order?: 'asc';
  /** The cursors of page 2 up to this page, joined by dots: the API has no way back. */
  after?: string;
  /** From 1; absent on the first page. */
  page?: number;
}

/** Keeps addresses short. Beyond it, Previous ends and the link to the first page remains. */
const maxCursors = 40;
/** On the first page. A wide screen has space for more rows. */
const usualSize: PageSize = globalThis.matchMedia?.('(min-width: 1441px)').matches ? 50 : pageSizes[0];

/** On later pages, an address without a size means the same on every screen: their numbers depend on it. */
export function pageSizeOf({ limit, page }: ListSearch): PageSize {
  return limit ?? (page === undefined ? usualSize : pageSizes[0]);
}

/** Drops what the address has and the list does not. */
export function parseListSearch(params: Record<string, unknown>): ListSearch {
  const limit = pageSizes.find((size) => String(size) === String(params['limit']));
  const choices: ListSearch = {
    ...parseFilter(params),
    ...(limit && { limit }),
    ...(params['order'] === 'asc' && { order: 'asc' }),
  };
  const { after } = params;
  const page = Math.trunc(Number(params['page'])) || 2;
  if (typeof after !== 'string' || after === '') return firstPage(choices);
  return { ...laterPage(choices, Math.max(2, page)), after };
}

/** The cursor of the page, for the API. */
export function cursorOf({ after }: ListSearch): string | undefined {
  return after?.split('.').at(-1);
}

/** Filter, page size and order: what the person chose. */
export function firstPage(search: ListSearch): ListSearch {
  return choicesOf(search, usualSize);
}

/** The first page of the list with other choices. */
export function changeList(search: ListSearch, changes: Record<string, unknown>): ListSearch {
  return parseListSearch({ ...firstPage(search), ...changes });
}

function laterPage(search: ListSearch, page: number): ListSearch {
  return { ...choicesOf({ ...search, page }, pageSizes[0]), page };
}

/** Leaves out the page size that the address means without one. */
function choicesOf(search: ListSearch, usual: PageSize): ListSearch {
  const limit = pageSizeOf(search);
  const { order } = search;
  return { ...pickFilter(search), ...(limit !== usual && { limit }), ...(order && { order }) };
}

export function nextPage(search: ListSearch, cursor: string): ListSearch {
  const { after, page = 1 } = search;
  const next = laterPage({ ...search, limit: pageSizeOf(search) }, page + 1);
  const cursors = [...(after?.split('.') ?? []), cursor].slice(-maxCursors);
  return { ...next, after: cursors.join('.') };
}

/** `undefined` on the first page, and when the address does not have the cursor. */
export function previousPage(search: ListSearch): ListSearch | undefined {
  const { after, page = 1 } = search;
  if (page === 2) return firstPage(search);
  if (page < 2) return undefined;
  const cursors = after?.split('.').slice(0, -1);
  return cursors?.length ? { ...laterPage(search, page - 1), after: cursors.join('.') } : undefined;
}

const storageName = 'petstore.list';

/** The list page that this tab showed last. */
let lastList: ListSearch | undefined;

/** Keeps filter, page size and order on the device, for the next visit. */
export function rememberList(search: ListSearch): void {
  lastList = search;
  // A later visit does not begin with the results of a search.
  const { q: _words, category: _categories, ...kept } = firstPage(search);
  writeDeviceState(storageName, kept);
}

/** The list page that this tab showed last, or else the first page of the list that the device showed last. */
export function readLastList(): ListSearch {
  return lastList ?? readFirstPage();
}

export function readFirstPage(): ListSearch {
  return firstPage(parseListSearch(readDeviceState(storageName)));
}

/** Whether the tab does not return to a page, by a reload or by Back. */
export function isNewVisit(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.type === 'navigate';
}

/** Opens the list that the device showed last, unless the address names another one, or the tab returns to a page. */
export function restoreLastList(): void {
  if (!isNewVisit() || location.search !== '' || !['/', '/pets'].includes(location.pathname)) return;
  const params = new URLSearchParams({ ...readFirstPage() } as Record<string, string>).toString();
  if (params) history.replaceState(history.state, '', `/pets?${params}`);
}
