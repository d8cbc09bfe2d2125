import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { petStatuses } from '@petstore/contracts';
import { watchMemory } from '@petstore/test-kit/process-usage.js';
import { isolatedEnvironment, Program } from '@petstore/test-kit/program.js';
import { temporaryDirectory } from '@petstore/test-kit/temporary-directory.js';
import { apiKey, TestService } from '@petstore/test-kit/test-service.js';
import { expect } from 'vitest';
import { clientOf, drill, figures, isQuick } from './drill.js';

const petstore = fileURLToPath(new URL('../../packages/cli/dist/petstore.js', import.meta.url));
const rows = isQuick ? 100_000 : 1_000_000;
const rowsPerSecond = 500;
/** An import has a million animals in memory. */
const memoryLimits = { import: 1_600_000_000, export: 300_000_000 };

/** The signals that interrupt the import, each when this share of the animals is stored. */
const interruptions = [
  { share: 0.25, signal: 'SIGINT', code: 130 },
  { share: 0.5, signal: 'SIGKILL', code: null },
  { share: 0.75, signal: 'SIGKILL', code: null },
] as const;

drill(
  'petstore import with SIGINT and SIGKILL twice, then petstore export',
  { timeout: 3_600_000 },
  async ({ annotate, cleanup }) => {
    const { url } = await TestService.start(cleanup);
    const directory = await temporaryDirectory(cleanup);
    const [file, exported] = [join(directory, 'animals.csv'), join(directory, 'exported.csv')];
    await pipeline(lines(), createWriteStream(file));
    const env = isolatedEnvironment({ PETSTORE_URL: url, PETSTORE_API_KEY: apiKey });
    const start = (...args: string[]) =>
      cleanup.own(
        async () => new Program([process.execPath, petstore, ...args], { env }),
        (command) => command.stop(),
      );
    for (const { share, signal, code } of interruptions) {
      const command = await start('import', file);
      while (!command.hasEnded && (await countStored(url)) < rows * share) await sleep(100);
      expect(await command.end(signal), command.output).toBe(code);
    }
    // Sends every row again: the service has three quarters of them.
    const importing = await finish(await start('import', file), memoryLimits.import);
    const rate = (rows * 1000) / importing.ms;
    if (!isQuick) expect(rate).toBeGreaterThanOrEqual(rowsPerSecond);
    const exporting = await finish(await start('export', exported), memoryLimits.export);
    await compareAnimals(exported);
    await annotate(figures({ 'rows per second': rate, 'memory in bytes': importing.bytes }));
    await annotate(figures({ 'export in ms': exporting.ms, 'memory in bytes': exporting.bytes }));
  },
);

/** Waits for the end of a command, and checks its exit code and memory. */
async function finish(command: Program, maxBytes: number): Promise<{ ms: number; bytes: number }> {
  const begin = performance.now();
  const samples = watchMemory(command.pid);
  expect(await command.exited(), command.output).toBe(0);
  const ms = performance.now() - begin;
  const bytes = Math.max(...samples());
  expect(bytes).toBeLessThanOrEqual(maxBytes);
  return { ms, bytes };
}

async function countStored(url: string): Promise<number> {
  return (await clientOf(url).listPets({ limit: 1, count: true }).page()).total ?? 0;
}

/** The CSV of the animal of a row, which counts from 0. Numbers above 2^53 would be rounded. */
function lineOf(row: number): string {
  return `Animal ${row},${2n ** 53n + 1n + BigInt(row % 50)},${petStatuses[row % petStatuses.length]}`;
}

function* lines(): Generator<string> {
  yield 'name,categoryId,status\n';
  for (let row = 0; row < rows; row += 1) yield `${lineOf(row)}\n`;
}

/** Checks that each animal is in an exported file exactly once, and no other. */
async function compareAnimals(file: string): Promise<void> {
  const missing = new Set(Array.from({ length: rows }, (_, row) => row));
  const others: string[] = [];
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const row = Number(/^\d+,Animal (\d+),/.exec(line)?.[1] ?? -1);
    if (!line.endsWith(`,${lineOf(row)}`) || !missing.delete(row)) others.push(line);
  }
  // With a byte order mark, as spreadsheets need it.
  expect(others).toEqual(['\uFEFFid,name,categoryId,status']);
  expect(missing.size).toBe(0);
}
