import { cpus } from 'node:os';
import { Cleanup, cleanUpAtSignals } from '@petstore/processes/cleanup.js';
import { ExplainedError } from '@petstore/contracts';
import { readOptions, usage } from './options.js';
import { describe, describeSum, type Outcome, runDrill } from './run-drills.js';

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (!options) {
    console.log(usage);
    return 0;
  }
  const cleanup = new Cleanup();
  cleanUpAtSignals(cleanup);
  const outcomes: Outcome[] = [];
  for (const drill of options.drills) {
    const outcome = await runDrill(drill, options, cleanup);
    console.log(describe(outcome));
    outcomes.push(outcome);
  }
  const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} CPUs, Node ${process.version}, ${process.platform}`;
  console.log(`\n${describeSum(outcomes)}\n${machine}`);
  return outcomes.every(({ tally }) => tally.hasPassed) ? 0 : 1;
}

await main().then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(error instanceof ExplainedError ? error.message : error);
    process.exit(1);
  },
);
