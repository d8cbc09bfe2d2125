import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { Cleanup, cleanUpAtSignals } from '@petstore/test-kit/cleanup.js';
import { PostgresServer } from '@petstore/test-kit/postgres-server.js';
import { runGrowth } from './growth.js';
import { runStandard } from './standard.js';

const usage = `npm run bench -- [options], on Linux

  --growth      measure the service on tables of 10,000 and 10,000,000 animals
  --only <text> measure only the scenarios whose name contains the text, such as create
  --peer bun    also compare with Elysia on Bun, which npm installs into bench/.peers
  --rounds <n>  how often each server is measured in each scenario`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      growth: { type: 'boolean' },
      help: { type: 'boolean' },
      only: { type: 'string' },
      peer: { type: 'string' },
      rounds: { type: 'string' },
    },
  });
  const { growth, help, only = '', peer, rounds } = values;
  if (help || (peer ?? 'bun') !== 'bun' || !/^[1-9]\d{0,3}$/.test(rounds ?? '1')) return console.log(usage);
  const options = { isWithBun: peer === 'bun', only, rounds: rounds === undefined ? rounds : Number(rounds) };
  const cleanup = new Cleanup();
  cleanUpAtSignals(cleanup);
  const begin = performance.now();
  try {
    const context = { postgres: await PostgresServer.start(cleanup), cleanup };
    const text = await (growth ? runGrowth : runStandard)(context, options);
    const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} CPUs, Node ${process.version}, ${process.platform}`;
    console.log(`${text}\n\n${machine}; ${Math.round((performance.now() - begin) / 1_000)} s`);
  } finally {
    await cleanup.run();
  }
}

await main();
process.exit();
