import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { PetstoreClient, type PetstoreClientOptions } from '@petstore/client';
import { Cleanup, cleanUpAtSignals } from '@petstore/test-kit/cleanup.js';
import type { PostgresServer } from '@petstore/test-kit/postgres-server.js';
import { isolatedEnvironment, Program } from '@petstore/test-kit/program.js';
import { apiKey } from '@petstore/test-kit/test-service.js';
import { test, type TestContext } from 'vitest';

/** Runs the short form: the same checks, repeated less often. Times are not checked, because other tests run meanwhile. */
export const isQuick = process.env['DRILL_QUICK'] === '1';

/** Defines a drill: a fault, and what the service promises when it occurs. `cleanup` runs after it, even if it fails. */
export const drill = test.extend<{ readonly cleanup: Cleanup }>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the fixtures that a fixture uses from its first parameter
  cleanup: async ({}, use) => {
    const cleanup = new Cleanup();
    cleanUpAtSignals(cleanup);
    await use(cleanup);
    await cleanup.run();
  },
});

/** Skips the drill unless these programs are installed, and root runs it if it needs root. */
export function requirePrograms(skip: TestContext['skip'], programs: readonly string[], needsRoot = false): void {
  if (needsRoot && process.getuid?.() !== 0) skip('only root can run it');
  const missing = programs.filter((program) => spawnSync(program, ['--version']).error !== undefined);
  if (missing.length > 0) skip(`install ${missing.join(', ')}`);
}

/** Writes figures in one line, rounded. */
export function figures(values: Record<string, number>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${Math.round(value).toLocaleString('en')}`)
    .join(', ');
}

/** A client of the service at this address. */
export function clientOf(url: string, options: Partial<PetstoreClientOptions> = {}): PetstoreClient {
  return new PetstoreClient({ baseUrl: `${url}/v1`, apiKey, ...options });
}

/** Adds animals to an empty database of the service, with names that a backup must escape, in the categories from 2 on. */
export async function addAnimals(server: PostgresServer, count: number): Promise<void> {
  await server.query(`INSERT INTO pet (name, category_id, status, created_at)
    SELECT 'Animal ' || n || E'\\t\\\\', 2 + n % 500, (enum_range(NULL::"PetStatus"))[1 + n % 3], now() - n * interval '1 s'
    FROM generate_series(1, ${count}) AS n`);
}

/** Starts a program that the cleanup stops. Prints its output if it fails before. */
export async function startProgram(cleanup: Cleanup, command: readonly string[], variables: NodeJS.ProcessEnv = {}) {
  const program = await cleanup.own(
    async () => new Program(command, { env: { ...isolatedEnvironment({}), ...variables } }),
    (started) => started.stop(),
  );
  void program.exited().then((code) => code && console.error(`${command[0]} exited with ${code}:\n${program.output}`));
}

/** Returns the shell commands of a page, block by block. */
export async function readCommandBlocks(page: string): Promise<string[]> {
  const blocks = (await readFile(page, 'utf8')).matchAll(/^( *)```sh\n(?<commands>.*?)^\1```$/gms);
  return [...blocks].map(({ groups }) => groups?.['commands'] ?? '');
}
