import { type Remote, wrap } from 'comlink';
import type { ColumnChoice } from '@petstore/import-export/pet-columns.js';
import type { CsvStart } from '@petstore/import-export/read-start.js';
import { createStore, useSelector } from '@tanstack/react-store';
import { compareKnownPets } from '../../shared/known-pets/known-pets.js';
import { currentSession, onSessionChange } from '../../shared/session.js';
import type { ImportFile, PlannedFile, StoredImport } from './import-database.js';
import type { CheckResult, ImportWorker } from './import.worker.js';
import { type FileAnimal, type RepeatedAnimals, type RowResult, toRepeatedAnimals } from './import-rows.js';

/** A run of an import, or what it has done so far. */
export interface RunState {
  step: 'running' | 'paused' | 'done';
  file: PlannedFile;
  /** In the order of the file once the run has ended. */
  rows: readonly RowResult[];
  valid: number | undefined;
  rate: number;
  isPausing?: boolean;
  /** Whether the service does not answer. */
  isWaiting?: boolean;
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

/** Other tabs show the same stored import. */
const otherTabs = new BroadcastChannel('petstore.import');
otherTabs.addEventListener('message', () => {
  if (['stored', 'paused', 'done'].includes(currentState().step)) void showStoredImport();
});

let running: { worker: Worker; remote: Remote<ImportWorker> } | undefined;

// The next person who signs in can continue the stored import.
onSessionChange(() => {
  if (!currentSession()) stop();
});

/** The thread that reads files and sends animals, so that the page stays responsive. */
export function importWorker(): Remote<ImportWorker> {
  running ??= startWorker();
  return running.remote;
}

/** Shows the stored import, if there is one. */
export async function openImport(): Promise<void> {
  if (currentState().step === 'loading') await showStoredImport();
}

async function showStoredImport(): Promise<void> {
  const shown = currentState();
  try {
    const stored = await importWorker().readStoredImport();
    if (currentState() === shown) setState(stored ? { step: 'stored', ...stored } : { step: 'choose' });
  } catch {
    setState({ step: 'choose', error: "This browser can't store an import. Use a normal window, not a private one." });
  }
}

/** Call it when the stored import has changed. */
export function updateOtherTabs(): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has no target: it connects one origin.
  otherTabs.postMessage('changed');
}

const saveAsCsv = 'Save it as “CSV UTF-8”, and choose that file. Or copy its cells, and paste them below.';
const notReadable = `This can't be read as a table. If it is a spreadsheet, open it. ${saveAsCsv}`;

/** The beginnings of files that are often chosen instead of a CSV file, and what to do. */
const otherFiles: readonly [start: RegExp, advice: string][] = [
  [/^$/, 'It is empty. Choose a file, or paste cells, with a row for each animal.'],
  [
    /^(PK\u0003\u0004|\u00D0\u00CF\u0011\u00E0)/,
    `This is no CSV file. Open it in your spreadsheet program. ${saveAsCsv}`,
  ],
  [/^%PDF/, 'This is a PDF. Ask for the list as a spreadsheet or as a CSV file.'],
  [/^\s*<(!doctype|html|table|\?xml)/i, `This is a web page. Open it in your spreadsheet program. ${saveAsCsv}`],
  [
    /^[^\n]*\r[^\n]*$/,
    `Its rows are not separated as in a CSV file. Open it in your spreadsheet program. ${saveAsCsv}`,
  ],
];

const headBytes = 65_536;

export async function chooseFile(name: string, content: Blob): Promise<void> {
  const head = String.fromCodePoint(...new Uint8Array(await content.slice(0, headBytes).arrayBuffer()));
  const other = otherFiles.find(([start]) => start.test(head));
  const start = other
    ? undefined
    : await importWorker()
        .readStart(content, {})
        .catch(() => undefined);
  if (!start) return setState({ step: 'choose', error: other?.[1] ?? notReadable });
  setState(matchState({ name, content }, start));
}

/** Reads the start of the file again, in another encoding, or with other column names. */
export async function readAgain(file: ImportFile, settings: Pick<CsvStart, 'encoding' | 'hasHeader'>): Promise<void> {
  const start = await importWorker().readStart(file.content, settings);
  if (start) setState(matchState(file, start));
}

function matchState({ name, content }: Pick<ImportFile, 'name' | 'content'>, start: CsvStart) {
  const { encoding, hasHeader, columns } = start;
  return { step: 'match', file: { name, content, settings: { encoding, hasHeader, columns } }, start } as const;
}

export async function checkRows(file: ImportFile, start: CsvStart): Promise<void> {
  const checking = { step: 'checking', file } as const;
  setState(checking);
  await check(checking, file, start);
}

/** Checks the file again, with other cells in a row. */
export async function correctRow(checked: CheckedState, line: number, cells: readonly string[]): Promise<void> {
  const { file, start } = checked;
  const shown = currentState();
  const corrections = { ...file.settings.corrections, [line]: cells };
  await check(shown, { ...file, settings: { ...file.settings, corrections } }, start);
}

async function check(checking: ImportState, file: ImportFile, start: CsvStart): Promise<void> {
  try {
    const result = await importWorker().check(file);
    const repeats = await compareRows(result.animals);
    // The person may have started over.
    if (currentState() === checking) setState({ step: 'checked', file, start, result, repeats });
  } catch {
    // The file was moved or changed after it was chosen.
    if (currentState() === checking) setState({ step: 'choose', error: notReadable });
  }
}

/** Returns the error if the animals of the store are not known. */
async function compareRows(animals: readonly FileAnimal[]): Promise<RepeatedAnimals | Error> {
  try {
    const { ids, limit } = await compareKnownPets(animals);
    return toRepeatedAnimals(animals, ids, limit);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

export function matchColumns(file: ImportFile, start: CsvStart, columns: ColumnChoice): void {
  setState({ step: 'match', file: { ...file, settings: { ...file.settings, columns } }, start });
}

/** Nothing was stored or sent yet. */
export function startOver(): void {
  setState({ step: 'choose' });
}

/** A later import of the same file would add its animals again. */
const discardQuestion =
  'Discard this import? The animals that it added stay in the store. You cannot continue it later.';

export async function discardImport(): Promise<void> {
  if (confirm(discardQuestion)) await removeImport();
}

/** Forgets the import. The animals that it added stay. */
export async function removeImport(): Promise<void> {
  await importWorker().removeStoredImport();
  updateOtherTabs();
  setState({ step: 'choose' });
}

function startWorker() {
  const worker = new Worker(new URL('import.worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('error', () => {
    stop();
    setState({ step: 'choose', error: 'The import could not start. Reload the page and try again.' });
  });
  return { worker, remote: wrap<ImportWorker>(worker) };
}

function stop(): void {
  running?.worker.terminate();
  running = undefined;
  setState({ step: 'loading' });
}
