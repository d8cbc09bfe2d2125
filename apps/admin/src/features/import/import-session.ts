import { type Remote, wrap } from 'comlink';
import type { ColumnChoice } from '@petstore/import-export/pet-columns.js';
import { type FileAnimal, findRepeats, type Repeats } from '@petstore/import-export/find-repeats.js';
import type { OtherFormat } from '@petstore/import-export/other-format.js';
import type { CsvStart, StartSettings } from '@petstore/import-export/read-start.js';
import type { ReadSettings } from '@petstore/import-export/rows.js';
import { createStore, useSelector } from '@tanstack/react-store';
import { walkPets } from '../../shared/pet-queries.js';
import { currentSession, onSessionChange } from '../../shared/session.js';
import { connectTabs } from '../../shared/browser-storage.js';
import type { ImportFile, PlannedFile, StoredImport } from './import-database.js';
import type { CheckResult, ImportWorker } from './import.worker.js';
import type { RowResult, WrongValue } from './import-rows.js';
import { groupValues, rememberedFor, rememberMeaning, sameValue, type ValueGroup } from './value-groups.js';

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
  /** The values of the file that no animal can have, most frequent first. A person says what they mean. */
  values: readonly ValueGroup[];
  result: CheckResult;
  /** An error: why the rows could not be compared. */
  repeats: Repeats | Error;
  /** Whether a correction has no result yet. */
  isChecking?: boolean;
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
const sendToTabs = connectTabs<'changed'>('petstore.import', () => {
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
  sendToTabs('changed');
}

const saveAsCsv = 'Save it as “CSV UTF-8”, and choose that file. Or copy its cells, and paste them below.';
const notReadable = `This can't be read as a table. If it is a spreadsheet, open it. ${saveAsCsv}`;
const emptyFile = 'It is empty. Choose a file, or paste cells, with a row for each animal.';

const advice: Record<OtherFormat['kind'], string> = {
  spreadsheet: `Open it in your spreadsheet program. ${saveAsCsv}`,
  archive: 'Unpack it, and choose the file that is in it.',
  document: 'Ask for the list as a spreadsheet or as a CSV file.',
};

export async function chooseFile(name: string, content: Blob, isPasted = false): Promise<void> {
  const chosen = { name, content, settings: isPasted ? { isPasted } : {} };
  try {
    const other = await importWorker().findOtherFormat(content);
    if (other) setState({ step: 'choose', error: `This is ${other.name}. ${advice[other.kind]}` });
    else await readAgain(chosen, chosen.settings);
  } catch {
    setState({ step: 'choose', error: notReadable });
  }
}

/** Reads the start of the file, again in another encoding, or with other column names. */
export async function readAgain({ name, content, settings }: ImportFile, chosen: StartSettings): Promise<void> {
  const { isPasted } = settings;
  const start = await importWorker().readStart(content, { ...chosen, isPasted });
  if (!start) return setState({ step: 'choose', error: content.size === 0 ? emptyFile : notReadable });
  const { encoding, hasHeader, columns, titleRows } = start;
  const found = { encoding, hasHeader, columns, titleRows, isPasted };
  setState({ step: 'match', file: { name, content, settings: found }, start });
}

export async function checkRows(chosen: ImportFile, start: CsvStart): Promise<void> {
  // Other columns have other values. The device remembers what they mean.
  const file = { ...chosen, settings: { ...chosen.settings, replacements: undefined } };
  setState({ step: 'checking', file });
  await check(file, start);
}

/** Checks the file again, with other cells in a row. */
export async function correctRow(checked: CheckedState, line: number, cells: readonly string[]): Promise<void> {
  const corrections = { ...checked.file.settings.corrections, [line]: cells };
  await checkAgain(checked, { ...checked.file.settings, corrections });
}

/** Checks the file again, with another meaning of a value in all rows. An empty one leaves the rows out. */
export async function replaceValue(checked: CheckedState, wrong: WrongValue, by: string): Promise<void> {
  rememberMeaning(wrong, by);
  const others = (checked.file.settings.replacements ?? []).filter((other) => !sameValue(other, wrong));
  await checkAgain(checked, {
    ...checked.file.settings,
    replacements: by === '' ? others : [...others, { ...wrong, by }],
  });
}

async function checkAgain(checked: CheckedState, settings: ReadSettings): Promise<void> {
  const file = { ...checked.file, settings };
  // The next correction may come before the check has ended.
  setState({ ...checked, file, isChecking: true });
  await check(file, checked.start, checked.values);
}

/** The rows that an import has refused become the file of the next one. */
export async function correctRefused({ file, rows }: RunState): Promise<void> {
  const content = await importWorker().refusedRows(file, refusalReasons(rows));
  const { hasHeader, columns = [], categories, hasLooseNames } = file.settings;
  const start = await importWorker().readStart(content, { hasHeader });
  if (!start) return;
  // The last two columns are the line and the reason.
  const settings = { hasHeader, columns: [...columns, undefined, undefined], categories, hasLooseNames };
  await checkRows({ name: file.name, content, settings }, start);
}

export function refusalReasons(rows: readonly RowResult[]): Map<number, string> {
  return new Map(rows.flatMap((row) => (row.state === 'refused' ? [[row.line, row.reason]] : [])));
}

let checks = 0;

async function check(file: ImportFile, start: CsvStart, values?: readonly ValueGroup[]): Promise<void> {
  const number = (checks += 1);
  // The person may have started over, or corrected another row.
  const isLatest = () => number === checks && ['checking', 'checked'].includes(currentState().step);
  try {
    let result = await importWorker().check(file);
    let checkedFile = file;
    const groups = values ?? groupValues(result.faults);
    const remembered = values ? [] : rememberedFor(groups, file.settings);
    if (remembered.length > 0) {
      checkedFile = { ...file, settings: { ...file.settings, replacements: remembered } };
      result = await importWorker().check(checkedFile);
    }
    const repeats = await compareRows(result.animals);
    if (isLatest()) setState({ step: 'checked', file: checkedFile, start, values: groups, result, repeats });
  } catch {
    // The file was moved or changed after it was chosen.
    if (isLatest()) setState({ step: 'choose', error: notReadable });
  }
}

let comparing = new AbortController();

/** Returns the error if the animals of the store cannot be read. */
async function compareRows(animals: readonly FileAnimal[]): Promise<Repeats | Error> {
  comparing.abort();
  comparing = new AbortController();
  const { signal } = comparing;
  try {
    return await findRepeats(animals, (categoryId) => walkPets({ categoryId, signal }));
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

export function matchColumns(file: ImportFile, start: CsvStart, columns: ColumnChoice): void {
  setState({ step: 'match', file: { ...file, settings: { ...file.settings, columns } }, start });
}

/** Nothing was stored or sent yet. */
export function startOver(): void {
  comparing.abort();
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
