import { proxy } from 'comlink';
import { keyFingerprint, toApiError } from '../../shared/client.js';
import { callWithKey } from '../../shared/api.js';
import { announce, announceAdded } from '../../shared/focus.js';
import { formatAnimals } from '../../shared/format.js';
import type { ImportFile, ImportPlan, PlannedFile } from './import-database.js';
import { currentState, importWorker, type RunState, setState, updateOtherTabs } from './import-session.js';
import type { RowResult } from './import-rows.js';
import type { ImportProgress } from './import.worker.js';

/** Stores the file first: from then on, a reload or a crash loses nothing. */
export async function startImport(chosen: ImportFile, plan: ImportPlan): Promise<void> {
  const file = { ...chosen, plan };
  try {
    await importWorker().storeFile(file);
    updateOtherTabs();
  } catch (error) {
    return setState({ step: 'paused', file, rows: [], valid: undefined, rate: 0, error });
  }
  await continueImport(file);
}

/** Sends the rows that have no result. */
export async function continueImport(file: PlannedFile): Promise<void> {
  addEventListener('beforeunload', warnBeforeLeaving);
  let run: RunState = { step: 'running', file, rows: [], valid: undefined, rate: 0 };
  try {
    const isComplete = await callWithKey(async (text) => {
      run = { step: 'running', file, rows: [], valid: undefined, rate: 0 };
      setState(run);
      const { isComplete: isDone, failure } = await importWorker().run(
        file,
        { text, hash: keyFingerprint(text) },
        proxy(async (progress) => {
          run = withProgress(run, progress);
          // The person may have signed out.
          if (currentState().step === 'running') setState(run);
        }),
      );
      if (failure) throw toApiError(failure);
      return isDone;
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

export async function pauseImport(): Promise<void> {
  const run = currentState();
  if (run.step !== 'running') return;
  setState({ ...run, isPausing: true });
  await importWorker().pause();
}

function withProgress(run: RunState, { rows, valid, rate, isWaiting }: ImportProgress): RunState {
  const current = currentState();
  const isPausing = current.step === 'running' && current.isPausing === true;
  return { ...run, rows: [...run.rows, ...rows], valid, rate, isWaiting, isPausing };
}

function end(run: RunState): void {
  // The person has signed out.
  if (currentState().step !== 'running') return;
  const rows = run.rows.toSorted((a, b) => a.line - b.line);
  setState({ ...run, rows, isPausing: false, isWaiting: false });
  const added = `${formatAnimals(count(rows, 'added'))} added`;
  if (run.step === 'done') announceAdded(`Import finished: ${added}`);
  else announce('Import paused');
}

export function count(rows: readonly RowResult[], state: RowResult['state']): number {
  return rows.filter((row) => row.state === state).length;
}

/** The browser asks the person. Nothing is lost if they leave, but the import stops. */
function warnBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
