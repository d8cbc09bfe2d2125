import { readDeviceState, writeDeviceState } from '../../shared/browser-storage.js';
import { firstPage, type ListSearch, parseListSearch } from './list-search.js';

const storageName = 'petstore.list';

/** The list page that this tab showed last. */
let lastList: ListSearch | undefined;

/** Keeps filter, page size and order on the device, for the next visit. */
export function rememberList(search: ListSearch): void {
  lastList = search;
  writeDeviceState(storageName, firstPage(search));
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
