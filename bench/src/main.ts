import { cpus } from 'node:os';
import { ExplainedError } from '@petstore/contracts';
import { Cleanup, cleanUpAtSignals } from '@petstore/processes/cleanup.js';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { runGrowth } from './growth.js';
import { type Options, readOptions, usage } from './options.js';
import { runStandard } from './standard.js';

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
  const context = { postgres: await PostgresServer.start(cleanup), cleanup };
  const text = await (options.isGrowth ? runGrowth : runStandard)(context, options, log);
  const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} CPUs, Node ${process.version}, ${process.platform}`;
  console.log(`${text}\n\n${machine}; ${Math.round((performance.now() - begin) / 1_000)} s`);
}

await main().then(
  () => process.exit(0),
  (error: Error) => {
    log(error instanceof ExplainedError ? error.message : (error.stack ?? error.message));
    process.exit(1);
  },
);
