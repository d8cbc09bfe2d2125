import { newIdempotencyKey } from '@petstore/client';
import type { RowSettings } from '@petstore/import-export/check-rows.js';
import { get, update } from 'idb-keyval';
import { importStorageName } from '../../shared/browser-storage.js';
import type { GuessedLayout } from './guess-layout.js';
import { hashOf, type ImportRecord } from './import-record.js';

/** How a table is read. `hasHeader` is `undefined` until the person has said it. */
export type ImportSettings = Omit<RowSettings, keyof GuessedLayout> & GuessedLayout;

/** All that this device stores of an import, from the choice of the file to the last answer of the service. */
export interface StoredImport {
  /** Random. */
  id: string;
  name: string;
  contentHash: string;
  /** `undefined` if the file is too large: the person chooses it again. */
  content?: Uint8Array | undefined;
  reading: ImportRecord['reading'];
  settings: ImportSettings;
  step: 'match' | 'check';
  /** What happens to the animals that the store has. `undefined` until the person has said it. */
  existing?: 'leaveOut' | 'add' | undefined;
  leavesOutRepeated: boolean;
  record?: ImportRecord | undefined;
  /** An earlier import of this file was interrupted, and could not continue. */
  wasInterrupted: boolean;
}

/** Larger files are not stored. */
const maxStoredBytes = 20 * 1024 * 1024;

export function newImport(name: string, bytes: Uint8Array, reading: ImportRecord['reading']): StoredImport {
  return {
    id: newIdempotencyKey(),
    name,
    contentHash: hashOf(bytes),
    reading,
    settings: { titleRows: 0, hasHeader: undefined, columns: [], categories: [] },
    step: 'match',
    leavesOutRepeated: false,
    wasInterrupted: false,
  };
}

/** `undefined` also if the browser stores nothing. */
export async function readStored(): Promise<StoredImport | undefined> {
  try {
    return await get<StoredImport>(importStorageName);
  } catch {
    return undefined;
  }
}

/** Stores an import, unless another tab has started another one. Returns whether a reload keeps it. */
export async function store(chosen: StoredImport, bytes: Uint8Array): Promise<boolean> {
  const content = bytes.length <= maxStoredBytes ? bytes : undefined;
  const stored = await replace((other) => (other?.record && other.id !== chosen.id ? other : { ...chosen, content }));
  return stored?.id === chosen.id;
}

/** Forgets an import, unless another tab has stored another one. */
export async function removeStored(id: string): Promise<void> {
  await replace((stored) => (stored?.id === id ? undefined : stored));
}

/** Returns what is stored now. Nothing, if the browser cannot store it: in some private windows, or on a full disk. */
async function replace(
  updater: (stored: StoredImport | undefined) => StoredImport | undefined,
): Promise<StoredImport | undefined> {
  let result: StoredImport | undefined;
  try {
    await update<StoredImport | undefined>(importStorageName, (stored) => (result = updater(stored)));
    return result;
  } catch {
    return undefined;
  }
}
