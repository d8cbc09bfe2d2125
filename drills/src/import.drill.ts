import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { drill } from './drill.js';
import { compareAnimals, writeAnimals } from './import/animals-file.js';
import { PetstoreCommand } from './import/petstore-command.js';
import { Service } from './servers/service.js';
import { megabytes, number, type Tally } from './tally.js';

const rowsPerSecond = 2_000;
/** A million animals in memory would take more. */
const maxBytes = 300_000_000;
const defaultAnimals = 1_000_000;
const quickAnimals = 20_000;
const pollMs = 100;

/** The signals that interrupt the import, each when this share of the animals is stored. */
const interruptions = [
  { share: 0.25, signal: 'SIGINT', code: 130 },
  { share: 0.5, signal: 'SIGKILL', code: null },
] as const;

drill(
  'petstore import with SIGINT and SIGKILL, then petstore export',
  { timeout: 3_600_000 },
  async ({ cleanup, isQuick, animals, tally }) => {
    const rows = animals ?? (isQuick ? quickAnimals : defaultAnimals);
    const service = await Service.start(cleanup);
    const directory = await temporaryDirectory(cleanup);
    const [file, exported] = [join(directory, 'animals.csv'), join(directory, 'exported.csv')];
    await writeAnimals(file, rows);
    const command = (...args: string[]) => PetstoreCommand.start(cleanup, service.url, args);
    const start = () => command('import', file);
    for (const { share, signal, code } of interruptions) {
      const run = await start();
      await untilStored(service, rows * share, run);
      const ended = await run.end(signal);
      tally.expect(ended.code === code, `after ${signal} the exit code was ${ended.code}: ${run.output}`);
    }
    const rate = await finishImport(service, await start(), { rows, tally });
    tally.expect(isQuick || rate >= rowsPerSecond, `the import created ${number(rate)} animals/s`);
    await finish('export', await command('export', exported), tally);
    await compareAnimals(exported, rows, tally);
  },
);

/** Waits for the end of the last import. Returns the animals per second, with the check of the file. */
async function finishImport(
  service: Service,
  run: PetstoreCommand,
  { rows, tally }: { rows: number; tally: Tally },
): Promise<number> {
  const before = await countStored(service);
  const seconds = await finish('import', run, tally);
  const stored = await countStored(service);
  tally.expect(stored === rows, `${number(stored)} animals are stored instead of ${number(rows)}`);
  const rate = Math.round((stored - before) / seconds);
  tally.note(`${number(rate)} animals/s`);
  return rate;
}

/** Waits for the end of a command, and checks its exit code and memory. Returns its duration. */
async function finish(name: string, run: PetstoreCommand, tally: Tally): Promise<number> {
  const { code, seconds } = await run.end();
  tally.expect(code === 0, `the ${name} ended with exit code ${code}: ${run.output}`);
  tally.expect(run.peakBytes <= maxBytes, `the ${name} used ${megabytes(run.peakBytes)} of memory`);
  tally.note(`${name} ${seconds.toFixed(1)} s with ${megabytes(run.peakBytes)}`);
  return seconds;
}

async function untilStored(service: Service, animals: number, run: PetstoreCommand): Promise<void> {
  while (!run.hasEnded && (await countStored(service)) < animals) await sleep(pollMs);
}

async function countStored(service: Service): Promise<number> {
  const { total } = await service.client().listPets({ limit: 1, count: true }).page();
  return total ?? 0;
}
