import { readTabState, writeTabState } from '../../shared/browser-storage.js';
import { maxLabels } from './label-search.js';

const storageName = 'petstore.imported';

/** Keeps the numbers of the animals of an import in this tab. Of too many for labels, it keeps the range. */
export function rememberImportedPets(ids: readonly bigint[]): void {
  const sorted = ids.toSorted((a, b) => (a < b ? -1 : 1));
  const numbers = ids.length > maxLabels ? `${sorted[0]}-${sorted.at(-1)}` : ids.join(' ');
  writeTabState(storageName, { numbers });
}

/** The numbers, for `parseNumbers`. Empty if there are none. */
export function readImportedPets(): string {
  return readTabState<{ numbers: string }>(storageName).numbers ?? '';
}
