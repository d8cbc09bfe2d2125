import { type FilterSearch, parseFilter } from './filter-search.js';

export const pageSizes = [20, 50, 100] as const;
type PageSize = (typeof pageSizes)[number];

/** A list page in the address. All keys are optional, because links to `/pets` have none. */
export interface ListSearch extends FilterSearch {
  limit?: PageSize;
  /** Oldest first; absent: newest first. */
  order?: 'asc';
  /** The cursors of page 2 up to this page, joined by dots: the API has no way back. */
  after?: string;
  /** From 2; absent on the first page. */
  page?: number;
}

/** Keeps addresses short. Beyond it, Previous ends and the link to the first page remains. */
const maxCursors = 40;
/** A wide screen has space for more rows. */
const usualSize: PageSize = globalThis.matchMedia?.('(min-width: 1441px)').matches ? 50 : 20;

export function pageSizeOf({ limit = usualSize }: ListSearch): PageSize {
  return limit;
}

/** Drops what the address has and the list does not. */
export function parseListSearch(params: Record<string, unknown>): ListSearch {
  const limit = pageSizes.find((size) => String(size) === String(params['limit']));
  const { after } = params;
  const page = Math.max(2, Math.trunc(Number(params['page'])) || 2);
  return {
    ...parseFilter(params),
    ...(limit && { limit }),
    ...(params['order'] === 'asc' && { order: 'asc' }),
    ...(typeof after === 'string' && after !== '' && { after, page }),
  };
}

/** The cursor of the page, for the API. */
export function cursorOf({ after }: ListSearch): string | undefined {
  return after?.split('.').at(-1);
}

/** Filter, page size and order: what the person chose. */
export function firstPage({ after: _after, page: _page, ...choices }: ListSearch): ListSearch {
  return choices;
}

type Changes = { [Key in keyof ListSearch]: ListSearch[Key] | undefined };

/** The first page of the list with other choices. An address has no keys without a value. */
export function changeList(search: ListSearch, changes: Changes): ListSearch {
  return { ...firstPage(search), ...changes } as ListSearch;
}

/** Its address has the page size: on every screen, the numbers of its rows depend on it. */
export function nextPage(search: ListSearch, cursor: string): ListSearch {
  const { after, page = 1 } = search;
  const cursors = [...(after?.split('.') ?? []), cursor].slice(-maxCursors);
  return { ...search, limit: pageSizeOf(search), page: page + 1, after: cursors.join('.') };
}

/** `undefined` on the first page, and when the address does not have the cursor. */
export function previousPage(search: ListSearch): ListSearch | undefined {
  const { after, page = 1 } = search;
  if (page === 2) return firstPage(search);
  const cursors = after?.split('.').slice(0, -1);
  return cursors?.length ? { ...search, page: page - 1, after: cursors.join('.') } : undefined;
}
