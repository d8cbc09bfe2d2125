import { proxy } from 'comlink';
import { callWithKey } from '../../shared/api.js';
import { toApiError } from '../../shared/client.js';
import { announce, announceAdded } from '../../shared/focus.js';
import { formatAnimals } from '../../shared/format.js';
import { type ImportFile, type ImportPlan, type PlannedFile, replaceStoredImport } from './import-database.js';
import { count } from './import-rows.js';
import { currentState, importWorker, type RunState, setState, updateOtherTabs } from './import-state.js';

/** Stores the file first: from then on, a reload or a crash loses nothing. */
export async function startImport(chosen: ImportFile, plan: ImportPlan): Promise<void> {
  const file = { ...chosen, plan };
  try {
    await replaceStoredImport(file);
    updateOtherTabs();
  } catch (error) {
    return setState({ ...newRun(file), step: 'paused', error });
  }
  await continueImport(file);
}

/** Sends the rows that have no result. */
export async function continueImport(file: PlannedFile): Promise<void> {
  addEventListener('beforeunload', warnBeforeLeaving);
  let run = newRun(file);
  try {
    const isComplete = await callWithKey(async (key) => {
      run = newRun(file);
      setState(run);
      const result = await importWorker().run(
        file,
        key,
        proxy(async ({ rows, ...progress }) => {
          const current = currentState();
          // The person may have signed out.
          if (current.step !== 'running') return;
          run = { ...current, ...progress, rows: [...current.rows, ...rows] };
          setState(run);
        }),
      );
      if (result.failure) throw toApiError(result.failure);
      return result.isComplete;
    });
    end({ ...run, step: isComplete ? 'done' : 'paused' });
  } catch (error) {
    end({ ...run, step: 'paused', error });
  } finally {
    // A run that only shows the results has changed nothing.
    if (run.rate > 0) updateOtherTabs();
    removeEventListener('beforeunload', warnBeforeLeaving);
  }
}

function newRun(file: PlannedFile): RunState {
  return { step: 'running', file, rows: [], valid: undefined, rate: 0, isWaiting: false, isPausing: false };
}

export async function pauseImport(): Promise<void> {
  const run = currentState();
  if (run.step !== 'running') return;
  setState({ ...run, isPausing: true });
  await importWorker().pause();
}

function end(run: RunState): void {
  // The person has signed out.
  if (currentState().step !== 'running') return;
  setState({ ...run, rows: run.rows.toSorted((a, b) => a.line - b.line) });
  if (run.step === 'done') announceAdded(`Import finished: ${formatAnimals(count(run.rows, 'created'))} added`);
  else announce('Import paused');
}

/** The browser asks the person. Nothing is lost if they leave, but the import stops. */
function warnBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
