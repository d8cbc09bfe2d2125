import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('migrate-program.mjs', import.meta.url));

interface OutputLine {
  log?: string;
  applied?: string[];
  error?: string;
}

/** Starts a process that migrates. The end of the test stops it. */
export function startMigrating(url: string, directory: string): ChildProcess {
  const child = spawn(process.execPath, [program, url, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Reads all its lines until it ends. */
export async function linesOf({ stdout }: ChildProcess): Promise<OutputLine[]> {
  const lines: OutputLine[] = [];
  if (stdout) for await (const line of createInterface(stdout)) lines.push(JSON.parse(line) as OutputLine);
  return lines;
}
