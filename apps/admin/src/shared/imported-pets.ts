import { readTabState, writeTabState } from './browser-storage.js';

const storageName = 'petstore.imported';

/** Keeps the numbers of the animals of an import in this tab, for the page of labels. */
export function rememberImportedPets(ids: readonly bigint[]): void {
  writeTabState(storageName, { numbers: ids.join(' ') });
}

/** The numbers, separated by spaces. Empty if there are none. */
export function readImportedPets(): string {
  return readTabState<{ numbers: string }>(storageName).numbers ?? '';
}
