import type { FileAnimal, Repeats } from '@petstore/import-export/find-repeats.js';
import { createStore, useSelector } from '@tanstack/react-store';
import { type Remote, wrap } from 'comlink';
import { connectTabs } from '../../shared/browser-storage.js';
import { currentSession, onSessionChange } from '../../shared/session.js';
import {
  type ImportFile,
  type PlannedFile,
  readStoredImport,
  replaceStoredImport,
  type StoredImport,
} from './import-database.js';
import type { InvalidRow, RowResult } from './import-rows.js';
import type { ImportWorker } from './import.worker.js';
import type { ValueGroup } from './value-groups.js';

/** A run of an import, or what it has done so far. */
export interface RunState {
  step: 'running' | 'paused' | 'done';
  file: PlannedFile;
  /** In the order of the file once the run has ended. */
  rows: readonly RowResult[];
  /** The number of rows with a valid animal. `undefined` until all rows are checked. */
  valid: number | undefined;
  /** Animals per second in this run. */
  rate: number;
  isPausing: boolean;
  /** Whether the service does not answer. */
  isWaiting: boolean;
  /** Why the run stopped. */
  error?: unknown;
}

/** Every row was checked, and compared with the store. */
export interface CheckedState {
  step: 'checked';
  file: ImportFile;
  /** The values of the file that no animal can have, most frequent first. A person says what they mean. */
  values: readonly ValueGroup[];
  /** The rows that can be imported. */
  animals: readonly FileAnimal[];
  invalid: readonly InvalidRow[];
  /** An error: why the rows could not be compared. */
  repeats: Repeats | Error;
  /** Whether a correction has no result yet. */
  isChecking?: boolean;
}

/** Where the import of this tab is. */
export type ImportState =
  | { step: 'loading' }
  | { step: 'choose'; error?: string }
  | { step: 'match'; file: ImportFile }
  | { step: 'checking'; file: ImportFile }
  | CheckedState
  /** An import that a reload or a crash interrupted, or that runs in another tab. */
  | ({ step: 'stored' } & StoredImport)
  | RunState;

const store = createStore<ImportState>({ step: 'loading' });

export function currentState(): ImportState {
  return store.state;
}

export function setState(next: ImportState): void {
  store.setState(() => next);
}

/** The import continues while the person uses other pages. */
export function useImportState(): ImportState {
  return useSelector(store);
}

let running: { worker: Worker; remote: Remote<ImportWorker> } | undefined;

export function importWorker(): Remote<ImportWorker> {
  running ??= startWorker();
  return running.remote;
}

function startWorker() {
  const worker = new Worker(new URL('import.worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('error', () => {
    stopWorker();
    setState({ step: 'choose', error: 'The import could not start. Reload the page and try again.' });
  });
  return { worker, remote: wrap<ImportWorker>(worker) };
}

function stopWorker(): void {
  running?.worker.terminate();
  running = undefined;
}

// The next person who signs in can continue the stored import.
onSessionChange(() => {
  if (currentSession()) return;
  stopWorker();
  setState({ step: 'loading' });
});

/** Other tabs show the same stored import. */
const sendToTabs = connectTabs<'changed'>('petstore.import', () => {
  if (['stored', 'paused', 'done'].includes(currentState().step)) void showStoredImport();
});

/** Call it when the stored import has changed. */
export function updateOtherTabs(): void {
  sendToTabs('changed');
}

/** Shows the stored import, if there is one. */
export async function showStoredImport(): Promise<void> {
  const shown = currentState();
  try {
    const stored = await readStoredImport();
    if (currentState() === shown) setState(stored ? { step: 'stored', ...stored } : { step: 'choose' });
  } catch {
    setState({ step: 'choose', error: "This browser can't store an import. Use a normal window, not a private one." });
  }
}

/** A later import of the same file would add its animals again. */
const discardQuestion =
  'Discard this import? The animals that it added stay in the store. You cannot continue it later.';

export async function discardImport(): Promise<void> {
  if (confirm(discardQuestion)) await removeImport();
}

/** Forgets the import. The animals that it added stay. */
export async function removeImport(): Promise<void> {
  await replaceStoredImport(undefined);
  updateOtherTabs();
  setState({ step: 'choose' });
}
