import { tryStorage } from '../../shared/browser-storage.js';

/** The import writes the numbers of its animals here: a JSON array of text. */
const storageName = 'petstore.labels';

/** The animals of the last import in this tab, in the form of `parseRanges`. Empty if there are none. */
export function readImportedNumbers(): string {
  return tryStorage(() => (JSON.parse(sessionStorage.getItem(storageName) ?? '[]') as string[]).join(' ')) ?? '';
}
