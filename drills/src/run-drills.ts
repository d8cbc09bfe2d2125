import { setTimeout as sleep } from 'node:timers/promises';
import { Cleanup } from '@petstore/processes/cleanup.js';
import { type Drill, NotPossible } from './drill.js';
import { number, seconds, Tally } from './tally.js';

export interface Outcome {
  drill: Drill;
  tally: Tally;
  ms: number;
  /** Why the machine did not allow it. */
  skipped?: string;
}

/** Runs one drill; what it made is gone afterwards. Its own failure is one more thing that is wrong. */
export async function runDrill(drill: Drill, isQuick: boolean, all: Cleanup): Promise<Outcome> {
  const tally = new Tally();
  const begin = performance.now();
  const cleanup = await all.own(
    () => Promise.resolve(new Cleanup()),
    (own) => own.run(),
  );
  const outcome = (more: Partial<Outcome> = {}) => ({ drill, tally, ms: performance.now() - begin, ...more });
  try {
    await limited(drill, drill.run({ cleanup, isQuick }, tally));
  } catch (error) {
    if (error instanceof NotPossible) return outcome({ skipped: error.message });
    tally.wrong.push(`it did not end: ${(error as Error).stack}`);
  } finally {
    await cleanup.run();
  }
  return outcome();
}

async function limited({ limitSeconds }: Drill, running: Promise<void>): Promise<void> {
  const over = new AbortController();
  const limit = sleep(limitSeconds * 1000, undefined, { signal: over.signal }).then(() => {
    throw new Error(`it took longer than ${limitSeconds} s`);
  });
  try {
    await Promise.race([running, limit]);
  } finally {
    over.abort();
    // Whichever was slower has nobody left to tell.
    for (const late of [running, limit]) late.catch(() => undefined);
  }
}

/** A line for a drill, and one for each kind of thing that was wrong. */
export function describe({ drill, tally, ms, skipped }: Outcome): string {
  const name = drill.name.padEnd(16);
  if (skipped !== undefined) return `skipped  ${name} ${skipped}`;
  const line = `${tally.isGood ? 'ok     ' : 'FAILED '}  ${name} ${tally.toString()} (${seconds(ms)})`;
  return [line, ...tally.faults().map((fault) => `         ${fault}`)].join('\n');
}

/** The sum over all drills, in one line. */
export function describeSum(outcomes: readonly Outcome[]): string {
  const sum = (of: (tally: Tally) => number) => number(outcomes.reduce((total, { tally }) => total + of(tally), 0));
  const skipped = outcomes.filter((outcome) => outcome.skipped !== undefined).length;
  const counts = [
    `acknowledged ${sum(({ acknowledged }) => acknowledged)}`,
    `lost ${sum(({ lost }) => lost)}`,
    `wrong ${sum(({ wrong }) => wrong.length)}`,
    `duplicated ${sum(({ duplicated }) => duplicated)}`,
    `refused ${sum(({ refused }) => refused)}`,
  ];
  return `${outcomes.length - skipped} drills${skipped > 0 ? `, ${skipped} skipped` : ''}: ${counts.join(', ')}`;
}
