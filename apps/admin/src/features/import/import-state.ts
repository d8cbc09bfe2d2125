import type { CsvStart } from '@petstore/import-export/read-start.js';
import { createStore, useSelector } from '@tanstack/react-store';
import type { ImportFile, PlannedFile, StoredImport } from './import-database.js';
import type { CheckResult } from './import.worker.js';
import type { RepeatedAnimals, RowResult } from './import-rows.js';

/** A run of an import, or what it has done so far. */
export interface RunState {
  step: 'running' | 'paused' | 'done';
  file: PlannedFile;
  /** In the order of the file once the run has ended. */
  rows: readonly RowResult[];
  valid: number | undefined;
  rate: number;
  isPausing?: boolean;
  /** Why the run stopped. */
  error?: unknown;
}

/** Every row was checked, and compared with the store. */
export interface CheckedState {
  step: 'checked';
  file: ImportFile;
  start: CsvStart;
  result: CheckResult;
  /** An error: why the rows could not be compared. */
  repeats: RepeatedAnimals | Error;
}

/** Where the import of this tab is. */
export type ImportState =
  | { step: 'loading' }
  | { step: 'choose'; error?: string }
  | { step: 'match'; file: ImportFile; start: CsvStart }
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
