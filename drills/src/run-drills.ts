import { setTimeout as sleep } from 'node:timers/promises';
import { Cleanup } from '@petstore/processes/cleanup.js';
import { type Drill, type DrillSettings, DrillSkipped } from './drill.js';
import { number, seconds, Tally } from './tally.js';

export interface Outcome {
  drill: Drill;
  tally: Tally;
  ms: number;
  /** Why the machine does not support it. */
  skipped?: string;
}

/** Runs one drill and its cleanup. An exception counts as a failure. */
export async function runDrill(drill: Drill, settings: DrillSettings, all: Cleanup): Promise<Outcome> {
  const tally = new Tally();
  const begin = performance.now();
  const cleanup = await all.own(
    () => Promise.resolve(new Cleanup()),
    (own) => own.run(),
  );
  const outcome = (more: Partial<Outcome> = {}) => ({ drill, tally, ms: performance.now() - begin, ...more });
  try {
    await withTimeLimit(drill, drill.run({ ...settings, cleanup }, tally));
  } catch (error) {
    if (error instanceof DrillSkipped) return outcome({ skipped: error.message });
    tally.wrong.push(`the drill failed: ${(error as Error).stack}`);
  } finally {
    await cleanup.run();
  }
  return outcome();
}

async function withTimeLimit({ limitSeconds }: Drill, running: Promise<void>): Promise<void> {
  const over = new AbortController();
  const limit = sleep(limitSeconds * 1000, undefined, { signal: over.signal }).then(() => {
    throw new Error(`The drill took longer than ${limitSeconds} s.`);
  });
  try {
    await Promise.race([running, limit]);
  } finally {
    over.abort();
    // The slower one may still reject, which nothing handles.
    for (const late of [running, limit]) late.catch(() => undefined);
  }
}

/** A line for the drill, and one for each kind of failure. */
export function describe({ drill, tally, ms, skipped }: Outcome): string {
  const name = drill.name.padEnd(16);
  if (skipped !== undefined) return `skipped  ${name} ${skipped}`;
  const line = `${tally.hasPassed ? 'ok     ' : 'FAILED '}  ${name} ${tally.toString()} (${seconds(ms)})`;
  return [line, ...tally.failures().map((failure) => `         ${failure}`)].join('\n');
}

/** One line with the totals of all drills. */
export function describeSum(outcomes: readonly Outcome[]): string {
  const sum = (of: (tally: Tally) => number) => number(outcomes.reduce((total, { tally }) => total + of(tally), 0));
  const skipped = outcomes.filter((outcome) => outcome.skipped !== undefined).length;
  const counts = [
    `acknowledged ${sum(({ acknowledged }) => acknowledged)}`,
    `lost ${sum(({ lost }) => lost)}`,
    `wrong ${sum(({ wrong }) => wrong.length)}`,
    `duplicated ${sum(({ duplicated }) => duplicated)}`,
    `rejected ${sum(({ rejected }) => rejected)}`,
  ];
  const run = outcomes.length - skipped;
  return `${run} ${run === 1 ? 'drill' : 'drills'}${skipped > 0 ? `, ${skipped} skipped` : ''}: ${counts.join(', ')}`;
}
