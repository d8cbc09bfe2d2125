import type { ColumnChoice } from '@petstore/import-export/csv-header.js';
import type { JournalEntry, JournalHeader } from '@petstore/import-export/journal.js';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

/** The file of an import, and how to read it. */
export interface ImportFile {
  name: string;
  content: Blob;
  columns: ColumnChoice;
}

/** The import that this device keeps until a person removes it. */
interface ImportDatabase extends DBSchema {
  files: { key: 'current'; value: ImportFile };
  headers: { key: 'current'; value: JournalHeader };
  /** The run that may write. A later run replaces it. */
  owners: { key: 'current'; value: string };
  journal: { key: number; value: JournalEntry[] };
}

const storeNames = ['files', 'headers', 'owners', 'journal'] as const;

export function openDatabase(): Promise<IDBPDatabase<ImportDatabase>> {
  return openDB<ImportDatabase>('petstore-import', 1, {
    upgrade(database) {
      database.createObjectStore('files');
      database.createObjectStore('headers');
      database.createObjectStore('owners');
      database.createObjectStore('journal', { autoIncrement: true });
    },
  });
}

export async function readStoredFile(): Promise<ImportFile | undefined> {
  return (await openDatabase()).get('files', 'current');
}

/** Replaces the stored import. A run of it in another tab can no longer write, so it stops. */
export async function storeFile(file: ImportFile): Promise<void> {
  await replaceImport(file);
}

export async function removeStoredImport(): Promise<void> {
  await replaceImport(undefined);
}

async function replaceImport(file: ImportFile | undefined): Promise<void> {
  const database = await openDatabase();
  const transaction = database.transaction(storeNames, 'readwrite', { durability: 'strict' });
  await Promise.all(storeNames.map((name) => transaction.objectStore(name).clear()));
  if (file) await transaction.objectStore('files').put(file, 'current');
  await transaction.done;
}
