import { cpus } from 'node:os';
import { basename } from 'node:path';
import type { Reporter, TestCase } from 'vitest/node';
import { number, seconds, Tally, type TallyReport } from './tally.js';

declare module 'vitest' {
  interface TaskMeta {
    tally?: TallyReport;
  }
}

interface Outcome {
  readonly tally: Tally;
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
}

/** Prints the counts of each drill, and their sum at the end. */
export default class SumReporter implements Reporter {
  readonly #outcomes: Outcome[] = [];

  onTestCaseResult(test: TestCase): void {
    const tally = new Tally();
    const { tally: report } = test.meta();
    if (report) tally.add(report);
    const result = test.result();
    this.#outcomes.push({ tally, state: result.state });
    const name = basename(test.module.relativeModuleId, '.drill.ts').padEnd(16);
    if (result.state === 'skipped') return console.log(`skipped  ${name} ${result.note ?? ''}`);
    const duration = seconds(test.diagnostic()?.duration ?? 0);
    console.log(`${result.state === 'passed' ? 'ok     ' : 'FAILED '}  ${name} ${tally.toString()} (${duration})`);
    for (const failure of tally.failures()) console.log(`         ${failure}`);
  }

  onTestRunEnd(): void {
    const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} CPUs, Node ${process.version}, ${process.platform}`;
    console.log(`\n${describeSum(this.#outcomes)}\n${machine}`);
  }
}

/** One line with the totals of all drills. */
function describeSum(outcomes: readonly Outcome[]): string {
  const sum = (of: (tally: Tally) => number) => number(outcomes.reduce((total, { tally }) => total + of(tally), 0));
  const skipped = outcomes.filter(({ state }) => state === 'skipped').length;
  const run = outcomes.length - skipped;
  const counts = [
    `acknowledged ${sum(({ acknowledged }) => acknowledged)}`,
    `lost ${sum(({ lost }) => lost)}`,
    `wrong ${sum(({ wrong }) => wrong.length)}`,
    `duplicated ${sum(({ duplicated }) => duplicated)}`,
    `rejected ${sum(({ rejected }) => rejected)}`,
  ];
  return `${run} ${run === 1 ? 'drill' : 'drills'}${skipped > 0 ? `, ${skipped} skipped` : ''}: ${counts.join(', ')}`;
}
