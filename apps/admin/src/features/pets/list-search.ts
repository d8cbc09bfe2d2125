import { isInt64, type PetStatus, petStatuses } from '@petstore/contracts';
import { readDeviceState, writeDeviceState } from '../../shared/browser-storage.js';

export const pageSizes = [20, 50, 100] as const;
type PageSize = (typeof pageSizes)[number];

/** A list page in the address. All keys are optional, because links to `/pets` have none. */
export interface ListSearch {
  /** Words to search for. With words or categories, the list has the animals that this device knows. */
  q?: string;
  /** The numbers of categories. */
  category?: readonly string[];
  /** Only animals with a higher number: those that were added later. */
  since?: string;
  status?: PetStatus;
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

/** Drops what the address has and the list does not. */
export function parseListSearch(params: Record<string, unknown>): ListSearch {
  const status = petStatuses.find((name) => name === params['status']);
  const limit = pageSizes.find((size) => String(size) === String(params['limit']) && size !== pageSizes[0]);
  const isOldestFirst = params['order'] === 'asc';
  const { q } = params;
  const category = parseCategories(params['category']);
  const since = /^\d{1,19}$/.test(String(params['since'])) ? String(BigInt(String(params['since']))) : undefined;
  const first = firstPage({
    ...(typeof q === 'string' && q.trim() !== '' && { q: q.trim() }),
    ...(category.length > 0 && { category }),
    ...(since !== undefined && { since }),
    ...(status && { status }),
    ...(limit && { limit }),
    ...(isOldestFirst && { order: 'asc' }),
  });
  const { after } = params;
  const page = Math.trunc(Number(params['page'])) || 2;
  if (isFound(first)) return page > 1 && params['page'] !== undefined ? { ...first, page } : first;
  if (typeof after !== 'string' || after === '') return first;
  return { ...first, after, page: Math.max(2, page) };
}

/** Whether the animals come from this device, not from a list of the service. */
export function isFound({ q, category, since }: ListSearch): boolean {
  return q !== undefined || category !== undefined || since !== undefined;
}

function parseCategories(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const numbers = values.map(String).filter((text) => /^-?\d{1,19}$/.test(text) && isInt64(BigInt(text)));
  return [...new Set(numbers.map((text) => String(BigInt(text))))];
}

/** The cursor of the page, for the API. */
export function cursorOf({ after }: ListSearch): string | undefined {
  return after?.split('.').at(-1);
}

/** Filter, page size and order: what the person chose. */
export function firstPage({ q, category, since, status, limit, order }: ListSearch): ListSearch {
  return {
    ...(q && { q }),
    ...(category && { category }),
    ...(since !== undefined && { since }),
    ...(status && { status }),
    ...(limit && { limit }),
    ...(order && { order }),
  };
}

export function nextPage(search: ListSearch, cursor: string): ListSearch {
  const { after, page = 1 } = search;
  if (isFound(search)) return { ...firstPage(search), page: page + 1 };
  const cursors = [...(after?.split('.') ?? []), cursor].slice(-maxCursors);
  return { ...firstPage(search), after: cursors.join('.'), page: page + 1 };
}

/** `undefined` on the first page, and when the address does not have the cursor. */
export function previousPage(search: ListSearch): ListSearch | undefined {
  const { after, page = 1 } = search;
  if (page === 2) return firstPage(search);
  if (isFound(search)) return page > 2 ? { ...firstPage(search), page: page - 1 } : undefined;
  const cursors = after?.split('.').slice(0, -1);
  return cursors?.length ? { ...firstPage(search), after: cursors.join('.'), page: page - 1 } : undefined;
}

const storageName = 'petstore.list';

/** The list page that this tab showed last. */
let lastList: ListSearch | undefined;

/** Keeps filter, page size and order on the device, for the next visit. */
export function rememberList(search: ListSearch): void {
  lastList = search;
  // A later visit does not begin with the results of a search.
  const { q: _words, category: _categories, since: _since, ...kept } = firstPage(search);
  writeDeviceState(storageName, kept);
}

/** The list page that this tab showed last, or else the first page of the list that the device showed last. */
export function readLastList(): ListSearch {
  return lastList ?? readFirstPage();
}

export function readFirstPage(): ListSearch {
  return firstPage(parseListSearch(readDeviceState(storageName)));
}

/** Opens the list that the device showed last, unless the address names another one, or the tab returns to a page. */
export function restoreLastList(): void {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (navigation?.type !== 'navigate' || location.search !== '' || !['/', '/pets'].includes(location.pathname)) return;
  const params = new URLSearchParams({ ...readFirstPage() } as Record<string, string>).toString();
  if (params) history.replaceState(history.state, '', `/pets?${params}`);
}
