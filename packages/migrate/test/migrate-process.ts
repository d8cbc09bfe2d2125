import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('migrate-process.mjs', import.meta.url));

interface Word {
  log?: string;
  applied?: string[];
  error?: string;
}

/** Starts a process that migrates; it is gone when the test ends. */
export function startMigrating(url: string, directory: string): ChildProcess {
  const child = spawn(process.execPath, [program, url, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** All that it says until it ends. */
export async function wordsOf({ stdout }: ChildProcess): Promise<Word[]> {
  const words: Word[] = [];
  if (stdout) for await (const line of createInterface(stdout)) words.push(JSON.parse(line) as Word);
  return words;
}
