import { cpus } from 'node:os';
import { runGrowth } from './growth/run-growth.js';
import { type Options, readOptions, usage } from './options.js';
import { Cleanup, cleanUpAtSignals } from '@petstore/processes/cleanup.js';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { ExplainedError } from '@petstore/explained-error';
import { printGrowth } from './report/print-growth.js';
import { printStandard } from './report/print-standard.js';
import { runStandard } from './standard/run-standard.js';

const log = (line: string) => process.stderr.write(`${line}\n`);

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
  const [report, text] = options.growth ? await growth() : await standard();
  const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} CPUs, Node ${process.version}, ${process.platform}`;
  const seconds = Math.round((performance.now() - begin) / 1_000);
  if (options.json) return console.log(JSON.stringify({ machine, seconds, options, ...report }, undefined, 2));
  console.log(`${text}\n\n${machine}; ${seconds} s`);

  async function standard() {
    const result = await runStandard(context, options, log);
    return [result, printStandard(result)] as const;
  }

  async function growth() {
    const result = await runGrowth(context, options, log);
    return [result, printGrowth(result)] as const;
  }
}

await main().then(
  () => process.exit(0),
  (error: Error) => {
    log(error instanceof ExplainedError ? error.message : (error.stack ?? error.message));
    process.exit(1);
  },
);
