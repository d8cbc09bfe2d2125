import { ImportError } from '@petstore/import-export/import-result.js';
import type { Journal, JournalEntry, JournalHeader } from '@petstore/import-export/journal.js';
import { openDatabase } from './import-database.js';

const batchesPerRead = 500;

/**
 * The journal of the stored import. Only the run that opened it last can append: two tabs that continue the same import
 * add nothing twice. Not by `navigator.locks`, which browsers offer on https only.
 */
export class IndexedDbJournal implements Journal {
  private readonly owner = String(crypto.getRandomValues(new BigUint64Array(1))[0]);

  async open(header: JournalHeader): Promise<JournalHeader> {
    const database = await openDatabase();
    const transaction = database.transaction(['headers', 'owners'], 'readwrite', { durability: 'strict' });
    const headers = transaction.objectStore('headers');
    const stored = (await headers.get('current')) ?? header;
    await headers.put(stored, 'current');
    await transaction.objectStore('owners').put(this.owner, 'current');
    await transaction.done;
    return stored;
  }

  async *entries(): AsyncGenerator<JournalEntry, void> {
    const database = await openDatabase();
    let after = 0;
    for (;;) {
      const range = IDBKeyRange.lowerBound(after, true);
      const keys = await database.getAllKeys('journal', range, batchesPerRead);
      const batches = await database.getAll('journal', range, batchesPerRead);
      for (const batch of batches) yield* batch;
      const last = keys.at(-1);
      if (last === undefined) return;
      after = last;
    }
  }

  /** @throws ImportError if another tab has continued or removed the import. */
  async append(entries: readonly JournalEntry[]): Promise<void> {
    const database = await openDatabase();
    // `strict` resolves when the entries are on the disk.
    const transaction = database.transaction(['owners', 'journal'], 'readwrite', { durability: 'strict' });
    const isOwner = (await transaction.objectStore('owners').get('current')) === this.owner;
    if (isOwner) await transaction.objectStore('journal').add([...entries]);
    await transaction.done;
    if (!isOwner) throw new ImportError('This import was continued or removed in another tab.');
  }
}
