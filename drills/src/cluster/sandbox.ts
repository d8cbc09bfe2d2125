import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DrillContext } from '../drill.js';
import type { Counts } from '../tally.js';

const drills = fileURLToPath(new URL('../..', import.meta.url));
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'drill.config.ts'];
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

/** Inside the sandbox: the directory for the files of the machines. drill.config.ts reads it too. */
export function sandboxDirectory(): string | undefined {
  return process.env['DRILL_SANDBOX'];
}

/** The file with the counts of the drill inside. */
export function reportOf(directory: string): string {
  return join(directory, 'report.json');
}

/**
 * Runs `inside.drill.ts` in Linux namespaces without a connection to any network. When it ends, so do all processes that
 * it started, and the system removes its networks. Skips the drill if the system does not allow namespaces.
 */
export async function runInSandbox(
  directory: string,
  { cleanup, skip }: Pick<DrillContext, 'cleanup' | 'skip'>,
): Promise<Counts> {
  const command = [...namespaces, 'sh', '-c', script, 'sh', process.execPath, ...vitest];
  const env = { ...process.env, DRILL_SANDBOX: directory };
  const child = await cleanup.own(
    // Detached: the cleanup ends it after Ctrl-C.
    async () => spawn('unshare', command, { cwd: drills, env, stdio: ['ignore', 'inherit', 'pipe'], detached: true }),
    kill,
  );
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  await once(child, 'close');
  if (existsSync(reportOf(directory))) return JSON.parse(await readFile(reportOf(directory), 'utf8')) as Counts;
  if (child.exitCode === notAllowed || errors.startsWith('unshare:')) {
    skip(`the system does not allow namespaces: ${errors.trim()}`);
  }
  throw new Error(`The cluster exited with ${String(child.exitCode)}:\n${errors}`);
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
