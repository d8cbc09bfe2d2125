import { cpus } from 'node:os';
import { runGrowth } from './growth/run-growth.js';
import { type Options, readOptions, usage } from './options.js';
import type { Subject } from './presets.js';
import { Cleanup, cleanUpAtSignals } from '@petstore/processes/cleanup.js';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { ExplainedError } from '@petstore/contracts';
import { runProcesses } from './processes/run-processes.js';
import { printGrowth } from './report/print-growth.js';
import { printProcesses } from './report/print-processes.js';
import { printStandard } from './report/print-standard.js';
import { printStorage } from './report/print-storage.js';
import { runStandard } from './standard/run-standard.js';
import { runStorage } from './storage/run-storage.js';
import type { Context } from './targets/start-targets.js';

const log = (line: string) => process.stderr.write(`${line}\n`);

type Measure = (context: Context, options: Options) => Promise<{ report: object; text: string }>;

const measurements: Record<Subject, Measure> = {
  standard: measured(runStandard, printStandard),
  growth: measured(runGrowth, printGrowth),
  processes: measured(runProcesses, printProcesses),
  storage: measured(runStorage, printStorage),
};

function measured<Report extends object>(
  run: (context: Context, options: Options, logLine: typeof log) => Promise<Report>,
  print: (report: Report) => string,
): Measure {
  return async (context, options) => {
    const report = await run(context, options, log);
    return { report, text: print(report) };
  };
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (!options) return console.log(usage);
  const cleanup = new Cleanup();
  cleanUpAtSignals(cleanup);
  try {
    await measure(options, cleanup);
  } finally {
    await cleanup.run();
  }
}

async function measure(options: Options, cleanup: Cleanup): Promise<void> {
  const begin = performance.now();
  const context = { postgres: await PostgresServer.start(cleanup), cleanup, profiles: options.profiles };
  const { report, text } = await measurements[options.subject](context, options);
  const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} CPUs, Node ${process.version}, ${process.platform}`;
  const seconds = Math.round((performance.now() - begin) / 1_000);
  if (options.json) return console.log(JSON.stringify({ machine, seconds, options, ...report }, undefined, 2));
  console.log(`${text}\n\n${machine}; ${seconds} s`);
}

await main().then(
  () => process.exit(0),
  (error: Error) => {
    log(error instanceof ExplainedError ? error.message : (error.stack ?? error.message));
    process.exit(1);
  },
);
