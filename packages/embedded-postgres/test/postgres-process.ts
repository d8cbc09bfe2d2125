import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('postgres-program.mjs', import.meta.url));

interface Options extends SpawnOptions {
  /** Put before the command. */
  prefix?: string[];
}

/** Starts a service without the API: a process that uses the data directory's PostgreSQL. It is killed when the test ends. */
export function launchProcess(dataDir: string, { prefix = [], ...options }: Options = {}): ChildProcess {
  const [first, ...others] = [...prefix, process.execPath, program, dataDir];
  const child = spawn(first, others, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => end(child, 'SIGKILL'));
  return child;
}

/** The URL of the database, or the error. */
export async function outcomeOf(child: ChildProcess): Promise<{ url: string; error: string }> {
  if (!child.stdout) throw new Error('The process has no output.');
  for await (const line of createInterface(child.stdout)) {
    const { url = '', error = '' } = JSON.parse(line) as { url?: string; error?: string };
    return { url, error };
  }
  throw new Error('The process ended without output.');
}

/** Ends a process and waits until it has gone. */
export async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}
