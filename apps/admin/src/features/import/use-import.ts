import { type Category, maxUnnamedCategories } from '@petstore/contracts';
import { type Replacement, valueKey } from '@petstore/import-export/check-rows.js';
import { createStore, useSelector } from '@tanstack/react-store';
import { proxy, type Remote, wrap } from 'comlink';
import { callWithKey } from '../../shared/api.js';
import { readDeviceState, writeDeviceState } from '../../shared/browser-storage.js';
import { type ApiFailure, toApiError } from '../../shared/client.js';
import { announce, announceAdded } from '../../shared/focus.js';
import { formatAnimals } from '../../shared/format.js';
import { setUnfinished } from '../../shared/unfinished-work.js';
import { currentSession, onSessionChange } from '../../shared/session.js';
import type { ValueGroup } from './check-table.js';
import type { ImportWorker } from './import.worker.js';
import type { ImportView } from './open-import.js';

interface ImportState {
  view: ImportView;
  /** Why the service could not do what the import needs. */
  problem?: unknown;
}

const loading: ImportState = { view: { step: 'loading' } };
const store = createStore<ImportState>(loading);

/** The import of this tab. It continues while the person uses other pages. */
export function useImport(): ImportState {
  return useSelector(store);
}

let running: { worker: Worker; remote: Remote<ImportWorker> } | undefined;

/** What the page asks the worker to do changes the view. */
export function importer(): Remote<ImportWorker> {
  running ??= startWorker();
  return running.remote;
}

function startWorker() {
  const worker = new Worker(new URL('import.worker.ts', import.meta.url), { type: 'module' });
  const remote = wrap<ImportWorker>(worker);
  const showView = async (view: ImportView) => {
    // The person may have signed out.
    if (running?.worker === worker) store.setState((state) => ({ ...state, view }));
  };
  worker.addEventListener('error', () => {
    stopWorker();
    store.setState(() => ({ view: { step: 'choose', error: 'Reload the page and try again.' } }));
  });
  void remote.connect(proxy(showView));
  return { worker, remote };
}

function stopWorker(): void {
  running?.worker.terminate();
  running = undefined;
}

onSessionChange(() => {
  if (currentSession()) return;
  stopWorker();
  store.setState(() => loading);
});

// Nothing is lost if the person leaves, but the import stops.
store.subscribe(({ view }) =>
  setUnfinished('import', view.step === 'running' || (view.step === 'check' && view.isStarting)),
);

/** Compares the animals with those of the store. */
export async function compareAnimals(): Promise<void> {
  await work((key) => importer().compare(key));
}

/** Starts or continues the import. */
export async function runImport(): Promise<void> {
  await work((key) => importer().run(key));
  const { view } = store.state;
  if (view.step === 'paused') announce('Import paused');
  if (view.step === 'done') announceAdded(`Import finished: ${formatAnimals(view.counts.created)} added`);
}

/** If the service rejects the key, the work begins again after the next sign-in. */
async function work(act: (key: string) => Promise<ApiFailure | undefined>): Promise<void> {
  store.setState(({ view }) => ({ view }));
  try {
    await callWithKey(async (key) => {
      const failure = await act(key);
      if (failure) throw toApiError(failure);
    });
  } catch (problem) {
    if (currentSession()) store.setState(({ view }) => ({ view, problem }));
  }
}

/** Checks the rows with what the store and this device know. */
export function checkRows(categories: readonly Category[]): void {
  const named = categories.flatMap(({ id, name }) => (name === null ? [] : [{ id: String(id), name }]));
  // The service does not list every category of such a store.
  const hasMore = categories.length >= named.length + maxUnnamedCategories;
  const isKnown = ({ field, by }: Replacement) =>
    field === 'status' || named.length === 0 || categories.some(({ id }) => String(id) === by);
  const settings = {
    // Also as the admin shows them if two have the same name: "Rabbits (7)".
    categories: categories.flatMap(({ id, name }) => {
      const names = name === null ? [null] : [name, `${name} (${id})`];
      return names.map((text) => ({ id: String(id), name: text }));
    }),
    knownCategories: named.length === 0 || hasMore ? undefined : categories.map(({ id }) => String(id)),
    replacements: readAnswers().filter(isKnown),
  };
  void importer().update({ step: 'check', settings });
}

const storageName = 'petstore.import-values';

/** What the values of earlier files meant, by `valueKey`. */
function readAnswers(): Replacement[] {
  return Object.entries(readDeviceState(storageName)).flatMap(([key, by]) => {
    const [, field, value = ''] = /^(categoryId|status) (.*)$/s.exec(key) ?? [];
    return field && typeof by === 'string' ? [{ field: field as ValueGroup['field'], value, by }] : [];
  });
}

/** Says what a value means in all rows. This device remembers it for the next file. An empty answer removes an earlier one. */
export function answerValue({ field, value }: ValueGroup, by: string): void {
  const key = valueKey(field, value);
  const { [key]: _, ...remembered } = readDeviceState(storageName);
  writeDeviceState(storageName, by === '' ? remembered : { ...remembered, [key]: by });
  void importer().answer({ field, value, by });
}
