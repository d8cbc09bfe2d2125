import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import { isolatedEnvironment } from '@petstore/processes/program.js';

/** Starts a program that runs until the cleanup sends SIGTERM. Its output appears if it ends before. */
export async function startProgram(cleanup: Cleanup, command: readonly string[], variables: Record<string, string>) {
  const [program = '', ...args] = command;
  await cleanup.own(
    async () => {
      const child = spawn(program, args, { env: isolatedEnvironment(variables), stdio: ['ignore', 'ignore', 'pipe'] });
      let output = '';
      child.stderr.on('data', (chunk) => (output += String(chunk)));
      child.once('exit', (code) => code !== 0 && code !== null && console.error(`${program} exited:\n${output}`));
      return child;
    },
    async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  );
}

/**
 * Returns the text of a file with other values.
 * @throws Error if the file does not contain one of them.
 */
export async function readAndReplace(file: string, replacements: Record<string, string>): Promise<string> {
  const text = await readFile(file, 'utf8');
  return Object.entries(replacements).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`${file} does not contain "${from}".`);
    return result.replaceAll(from, to);
  }, text);
}
