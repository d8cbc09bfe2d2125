import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { drill } from './drill.js';
import { Service } from './servers/service.js';
import { type Tally, megabytes, number } from './tally.js';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type NewPet, petStatuses } from '@petstore/contracts';
import { addFormulaPrefix } from '@petstore/import-export/pet-columns.js';
import { readRows } from '@petstore/import-export/rows.js';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import { residentBytes } from '@petstore/processes/process-usage.js';
import { isolatedEnvironment } from '@petstore/processes/program.js';
import { apiKey } from '@petstore/processes/service-process.js';

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
    if (isQuick) tally.note(`not checked: ${number(rowsPerSecond)} animals/s`);
    else tally.expect(rate >= rowsPerSecond, `the import created ${number(rate)} animals/s`);
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

/** Names that begin with these need a prefix in CSV. */
const starts = ['', '=', "'", '-'];
/** Above 2^53, where a number would be rounded. */
const firstCategory = 2n ** 53n + 1n;

/** The animal of a row, which counts from 0. */
function animal(row: number): NewPet {
  const name = `${starts[row % starts.length] ?? ''}Animal ${row}`;
  return {
    name,
    categoryId: firstCategory + BigInt(row % 50),
    status: petStatuses[row % petStatuses.length] ?? 'sold',
  };
}

/** Writes a CSV file with this many animals. */
async function writeAnimals(file: string, rows: number): Promise<void> {
  const lines = function* linesOf() {
    yield 'name,categoryId,status\n';
    for (let row = 0; row < rows; row += 1) {
      const { name, categoryId, status } = animal(row);
      yield `${addFormulaPrefix(name)},${categoryId},${status}\n`;
    }
  };
  await pipeline(lines(), createWriteStream(file));
}

/** Compares an exported file with the animals: each must be in it exactly once, and no other. */
async function compareAnimals(file: string, rows: number, tally: Tally): Promise<void> {
  const counts = new Uint8Array(rows);
  for await (const found of readRows(() => createReadStream(file))) {
    const row = 'pet' in found ? Number(/\d+$/.exec(found.pet.name)?.[0]) : Number.NaN;
    if ('pet' in found && row < rows && isSame(found.pet, animal(row))) counts[row] = (counts[row] ?? 0) + 1;
    else tally.expect(false, 'the export has a line that was not imported');
  }
  tally.acknowledged += rows;
  tally.lost += counts.filter((count) => count === 0).length;
  tally.duplicated += counts.filter((count) => count > 1).length;
}

function isSame(one: NewPet, other: NewPet): boolean {
  return one.name === other.name && one.categoryId === other.categoryId && one.status === other.status;
}

const program = fileURLToPath(new URL('../../packages/cli/dist/petstore.js', import.meta.url));
const sampleMs = 200;

/** A run of the petstore command. */
class PetstoreCommand {
  /** The maximum resident memory in bytes. */
  peakBytes = 0;
  output = '';
  private readonly begin = performance.now();
  private readonly sampling: NodeJS.Timeout;

  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (this.output += String(chunk)));
    this.sampling = setInterval(() => {
      this.peakBytes = Math.max(this.peakBytes, residentBytes(child.pid ?? 0));
    }, sampleMs);
  }

  static start(cleanup: Cleanup, url: string, args: readonly string[]): Promise<PetstoreCommand> {
    const env = isolatedEnvironment({ PETSTORE_URL: url, PETSTORE_API_KEY: apiKey });
    return cleanup.own(
      () => Promise.resolve(new PetstoreCommand(spawn(process.execPath, [program, ...args], { env }))),
      (command) => command.end('SIGKILL'),
    );
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Sends a signal, if one is given, and waits for the end. */
  async end(signal?: NodeJS.Signals): Promise<{ code: number | null; seconds: number }> {
    if (!this.hasEnded) {
      const closed = once(this.child, 'close');
      if (signal) this.child.kill(signal);
      await closed;
    }
    clearInterval(this.sampling);
    return { code: this.child.exitCode, seconds: (performance.now() - this.begin) / 1000 };
  }
}
