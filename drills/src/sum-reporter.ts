import { cpus } from 'node:os';
import { basename } from 'node:path';
import type { Reporter, TestCase } from 'vitest/node';
import { type Counts, describeCounts, failuresOf, seconds, Tally } from './tally.js';

declare module 'vitest' {
  interface TaskMeta {
    counts?: Counts;
  }
}

/** Prints the counts of each drill, and their sum at the end. */
export default class SumReporter implements Reporter {
  readonly #run: Counts[] = [];
  #skipped = 0;

  onTestCaseResult(test: TestCase): void {
    const counts = test.meta().counts ?? new Tally();
    const result = test.result();
    const name = basename(test.module.relativeModuleId, '.drill.ts').padEnd(16);
    if (result.state === 'skipped') {
      this.#skipped += 1;
      return console.log(`skipped  ${name} ${result.note ?? ''}`);
    }
    this.#run.push(counts);
    const { longestGapMs, notes } = counts;
    const gap = longestGapMs > 0 ? [`longest gap ${seconds(longestGapMs)}`] : [];
    const results = [describeCounts([counts]), ...gap, ...notes].join(', ');
    const duration = seconds(test.diagnostic()?.duration ?? 0);
    console.log(`${result.state === 'passed' ? 'ok     ' : 'FAILED '}  ${name} ${results} (${duration})`);
    for (const failure of failuresOf(counts)) console.log(`         ${failure}`);
  }

  onTestRunEnd(): void {
    const run = `${this.#run.length} ${this.#run.length === 1 ? 'drill' : 'drills'}`;
    const skipped = this.#skipped > 0 ? `, ${this.#skipped} skipped` : '';
    const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} CPUs, Node ${process.version}, ${process.platform}`;
    console.log(`\n${run}${skipped}: ${describeCounts(this.#run)}\n${machine}`);
  }
}
