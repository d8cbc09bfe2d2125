import type { RowAnimal } from '@petstore/import-export/check-rows.js';
import type { ImportRecord } from '@petstore/import-export/import-record.js';
import {
  importClientOptions,
  type Outcome,
  sendAnimals,
  type SendResult,
  usualPatienceMs,
} from '@petstore/import-export/send-animals.js';
import { createClient } from '../../shared/client.js';

/** A browser sends 6 requests at a time over HTTP/1.1. The rest fills the gaps between them. */
const concurrency = 16;

/** An import that has started. */
export interface Run {
  step: 'running' | 'paused' | 'done';
  animals: readonly RowAnimal[];
  /** By the number of the row. */
  outcomes: Map<number, Outcome>;
  /** Why no request starts: the service does not answer, or wants a pause of so many seconds. */
  wait?: 'outage' | number | undefined;
  abort: AbortController;
  /** When the requests began, and how many animals had an answer then. */
  start: { time: number; done: number };
}

export function newRun(animals: readonly RowAnimal[]): Run {
  return { step: 'paused', animals, outcomes: new Map(), abort: new AbortController(), start: { time: 0, done: 0 } };
}

/** Sends the animals without an answer. After a reload, these are all: the service answers those that it has again. */
export async function sendRun(run: Run, record: ImportRecord, key: string): Promise<SendResult> {
  const { animals, outcomes } = run;
  run.step = 'running';
  run.abort = new AbortController();
  run.start = { time: performance.now(), done: outcomes.size };
  const waiting = animals.filter(({ row }) => !outcomes.has(row));
  const result = await sendAnimals(waiting, {
    client: createClient(key, importClientOptions),
    record,
    concurrency,
    patienceMs: usualPatienceMs,
    signal: run.abort.signal,
    onWait: () => (run.wait = 'outage'),
    onLimit: (seconds) => (run.wait = seconds),
    onOutcome: (outcome) => {
      run.wait = undefined;
      outcomes.set(outcome.row, outcome);
    },
  });
  run.step = result.isComplete ? 'done' : 'paused';
  run.wait = undefined;
  return result;
}
