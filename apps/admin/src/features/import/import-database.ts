import { ImportError } from '@petstore/import-export/import-options.js';
import type { Journal, JournalEntry, JournalHeader } from '@petstore/import-export/journal.js';
import type { CsvStart } from '@petstore/import-export/read-start.js';
import type { ReadSettings } from '@petstore/import-export/rows.js';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

/** The file of an import, and how to read it. */
export interface ImportFile {
  name: string;
  content: Blob;
  /** By which a person has chosen the settings. */
  start: CsvStart;
  settings: ReadSettings;
}

/** The file of an import that has started. */
export interface PlannedFile extends ImportFile {
  plan: ImportPlan;
}

/** What the person decided before the first animal was added. */
export interface ImportPlan {
  /** The rows to leave out, because the store had their animals. */
  leftOut: readonly number[];
  /** The number of animals to add. */
  total: number;
}

/** The stored import, and how far it is. */
export interface StoredImport {
  file: PlannedFile;
  /** The number of animals without a result. */
  remaining: number;
}

/** The import that this device keeps until a person removes it. */
interface ImportDatabase extends DBSchema {
  files: { key: 'current'; value: PlannedFile };
  headers: { key: 'current'; value: JournalHeader };
  /** The run that may write. A later run replaces it. */
  owners: { key: 'current'; value: string };
  journal: { key: number; value: JournalEntry[] };
}

const storeNames = ['files', 'headers', 'owners', 'journal'] as const;

let opened: Promise<IDBPDatabase<ImportDatabase>> | undefined;

/** The connection that all calls share. */
function openDatabase(): Promise<IDBPDatabase<ImportDatabase>> {
  opened ??= connect().catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

function connect(): Promise<IDBPDatabase<ImportDatabase>> {
  return openDB<ImportDatabase>('petstore-import', 1, {
    upgrade(database) {
      database.createObjectStore('files');
      database.createObjectStore('headers');
      database.createObjectStore('owners');
      database.createObjectStore('journal', { autoIncrement: true });
    },
    // A tab with a later version upgrades the database.
    blocking(_current, _next, event) {
      opened = undefined;
      (event.target as IDBDatabase).close();
    },
    // The browser has closed the connection, for example because the person deleted its data.
    terminated() {
      opened = undefined;
    },
  });
}

export async function readStoredImport(): Promise<StoredImport | undefined> {
  const file = await (await openDatabase()).get('files', 'current');
  if (!file) return undefined;
  let results = 0;
  for await (const { type } of new IndexedDbJournal().entries()) {
    if (type === 'created' || type === 'rejected') results += 1;
  }
  return { file, remaining: file.plan.total - results };
}

/** Removes the stored import, or stores another one. A run of it in another tab can no longer write, so it stops. */
export async function replaceStoredImport(file: PlannedFile | undefined): Promise<void> {
  const database = await openDatabase();
  const transaction = database.transaction(storeNames, 'readwrite', { durability: 'strict' });
  await Promise.all(storeNames.map((name) => transaction.objectStore(name).clear()));
  if (file) await transaction.objectStore('files').put(file, 'current');
  await transaction.done;
}

/** Few, so that the page stays responsive while it reads the journal of a large import. */
const batchesPerRead = 100;

/**
 * The journal of the stored import. Only the run that opened it last can append: two tabs that continue the same import
 * add nothing twice. Not by `navigator.locks`, which browsers offer on https only.
 */
export class IndexedDbJournal implements Journal {
  private readonly owner = String(crypto.getRandomValues(new BigUint64Array(1))[0]);

  async header(): Promise<JournalHeader | undefined> {
    return (await openDatabase()).get('headers', 'current');
  }

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
