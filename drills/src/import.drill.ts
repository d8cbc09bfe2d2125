import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { petStatuses } from '@petstore/contracts';
import { watchMemory } from '@petstore/processes/process-usage.js';
import { isolatedEnvironment, Program } from '@petstore/processes/program.js';
import { apiKey } from '@petstore/processes/service-process.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { drill, type DrillContext } from './drill.js';
import { Service } from './servers/service.js';
import { megabytes, number, seconds, type Tally } from './tally.js';

const rowsPerSecond = 500;
/** A million animals in memory would take more. */
const maxBytes = 300_000_000;

/** The signals that interrupt the import, each when this share of the animals is stored. */
const interruptions = [
  { share: 0.25, signal: 'SIGINT', code: 130 },
  { share: 0.5, signal: 'SIGKILL', code: null },
] as const;

drill(
  'petstore import with SIGINT and SIGKILL, then petstore export',
  { timeout: 3_600_000 },
  async ({ cleanup, isQuick, animals, tally }) => {
    const rows = animals ?? (isQuick ? 20_000 : 1_000_000);
    const service = await Service.start(cleanup);
    const directory = await temporaryDirectory(cleanup);
    const [file, exported] = [join(directory, 'animals.csv'), join(directory, 'exported.csv')];
    await writeAnimals(file, rows);
    const start = (name: 'import' | 'export', path: string) => startCommand({ cleanup, service, name, path });
    for (const { share, signal, code } of interruptions) {
      const command = await start('import', file);
      while (!command.hasEnded && (await countStored(service)) < rows * share) await sleep(100);
      const ended = await command.end(signal);
      tally.expect(ended === code, `after ${signal} the exit code was ${ended}: ${command.output}`);
    }
    const left = rows - (await countStored(service));
    const ms = await finish('import', await start('import', file), tally);
    const rate = Math.round((left * 1000) / ms);
    tally.note(`${number(rate)} animals/s`);
    if (isQuick) tally.note(`not checked: ${number(rowsPerSecond)} animals/s`);
    else tally.expect(rate >= rowsPerSecond, `the import created ${number(rate)} animals/s`);
    await finish('export', await start('export', exported), tally);
    await compareAnimals(exported, rows, tally);
  },
);

interface Command extends Pick<DrillContext, 'cleanup'> {
  readonly service: Service;
  readonly name: 'import' | 'export';
  /** The file that it reads or writes. */
  readonly path: string;
}

const petstore = fileURLToPath(new URL('../../packages/cli/dist/petstore.js', import.meta.url));

function startCommand({ cleanup, service, name, path }: Command): Promise<Program> {
  const variables = { PETSTORE_URL: service.url, PETSTORE_API_KEY: apiKey };
  return cleanup.own(
    async () => new Program([process.execPath, petstore, name, path], { env: isolatedEnvironment(variables) }),
    (command) => command.stop(),
  );
}

/** Waits for the end of a command, and checks its exit code and memory. Returns the milliseconds. */
async function finish(name: string, command: Program, tally: Tally): Promise<number> {
  const begin = performance.now();
  const samples = watchMemory(command.pid);
  const code = await command.exited();
  const ms = performance.now() - begin;
  const peak = Math.max(...samples());
  tally.expect(code === 0, `the ${name} ended with exit code ${code}: ${command.output}`);
  tally.expect(peak <= maxBytes, `the ${name} used ${megabytes(peak)} of memory`);
  tally.note(`${name} ${seconds(ms)} with ${megabytes(peak)}`);
  return ms;
}

async function countStored(service: Service): Promise<number> {
  return (await service.client().listPets({ limit: 1, count: true }).page()).total ?? 0;
}

/** The CSV of the animal of a row, which counts from 0. Numbers above 2^53 would be rounded. */
function lineOf(row: number): string {
  return `Animal ${row},${2n ** 53n + 1n + BigInt(row % 50)},${petStatuses[row % petStatuses.length]}`;
}

async function writeAnimals(file: string, rows: number): Promise<void> {
  const lines = function* linesOf() {
    yield 'name,categoryId,status\n';
    for (let row = 0; row < rows; row += 1) yield `${lineOf(row)}\n`;
  };
  await pipeline(lines(), createWriteStream(file));
}

/** Compares an exported file with the animals: each must be in it exactly once, and no other. */
async function compareAnimals(file: string, rows: number, tally: Tally): Promise<void> {
  const counts = new Uint8Array(rows);
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const row = Number(/^\d+,Animal (\d+),/.exec(line)?.[1]);
    if (row < rows && line.endsWith(`,${lineOf(row)}`)) counts[row] = (counts[row] ?? 0) + 1;
    else tally.expect(line === 'id,name,categoryId,status', `the export has the line ${line}`);
  }
  tally.acknowledged += rows;
  tally.lost += counts.filter((count) => count === 0).length;
  tally.duplicated += counts.filter((count) => count > 1).length;
}
