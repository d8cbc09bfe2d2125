import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Program } from '@petstore/processes/program.js';
import type { DrillContext } from '../drill.js';
import type { Counts } from '../tally.js';

const drills = fileURLToPath(new URL('../..', import.meta.url));
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'drill.config.ts', 'src/cluster.drill.ts'];
const namespaces = ['--mount', '--net', '--ipc', '--pid', '--fork', '--kill-child', '--mount-proc'];

/**
 * Prepares directories that hide those of the system, then runs the program. The shell collects the processes whose
 * parent was killed.
 */
const script = `
  mount -t tmpfs tmpfs /run && mkdir /run/netns /run/postgresql &&
  mount -t tmpfs tmpfs /dev/shm && ip link set lo up || exit 69
  "$@" & wait $!`;

const notAllowed = 69;

/** The directory for the files of the machines. `undefined` outside of the sandbox. */
export const sandboxDirectory = process.env['DRILL_SANDBOX'];

const reportOf = (directory: string) => join(directory, 'report.json');

/** Writes the counts for the drill outside. */
export async function reportFromSandbox(counts: Counts): Promise<void> {
  await writeFile(reportOf(sandboxDirectory ?? ''), JSON.stringify(counts));
}

/**
 * Runs the drill in Linux namespaces without a connection to any network. When it ends, so do all processes that it
 * started, and the system removes its networks. Skips the drill if the system does not allow namespaces.
 */
export async function runInSandbox(
  directory: string,
  { cleanup, skip }: Pick<DrillContext, 'cleanup' | 'skip'>,
): Promise<Counts> {
  const command = ['unshare', ...namespaces, 'sh', '-c', script, 'sh', process.execPath, ...vitest];
  const env = { ...process.env, DRILL_SANDBOX: directory };
  const sandbox = await cleanup.own(
    // Detached: the cleanup ends it after Ctrl-C.
    async () => new Program(command, { cwd: drills, env, stdio: ['ignore', 'inherit', 'pipe'], detached: true }),
    (started) => started.end('SIGKILL'),
  );
  const code = await sandbox.exited();
  if (existsSync(reportOf(directory))) return JSON.parse(await readFile(reportOf(directory), 'utf8')) as Counts;
  const { output } = sandbox;
  if (code === notAllowed || output.startsWith('unshare:')) skip(`the system does not allow namespaces: ${output}`);
  throw new Error(`The cluster exited with ${String(code)}:\n${output}`);
}
