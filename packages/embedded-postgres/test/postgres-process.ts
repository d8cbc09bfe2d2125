import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('postgres-program.mjs', import.meta.url));

/** Starts a process that uses the data directory's PostgreSQL. It is killed when the test ends. */
export function launchProcess(role: 'start' | 'attach', dataDir: string, options: Options = {}): ChildProcess {
  const command = [process.execPath, program, role, dataDir];
  const [first = process.execPath, ...others] = options.prefix ? [...options.prefix, ...command] : command;
  const child = spawn(first, others, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => end(child, 'SIGKILL'));
  return child;
}

interface Options extends SpawnOptions {
  /** Put before the command. */
  prefix?: string[];
}

interface Outcome {
  url: string;
  error: string;
  /** The lines of its log so far. */
  log: string[];
}

/** The URL of the database, or the error. */
export async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  if (!child.stdout) throw new Error('The process has no output.');
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    const { url = '', error = '', log } = JSON.parse(line) as Partial<Record<'url' | 'error' | 'log', string>>;
    if (log !== undefined) lines.push(log);
    if (url || error) return { url, error, log: lines };
  }
  throw new Error('The process ended without output.');
}

/** Ends a process and waits until it has gone. */
export async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}
