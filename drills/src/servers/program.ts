import { readFile } from 'node:fs/promises';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import { isolatedEnvironment, Program } from '@petstore/processes/program.js';

type Variables = Record<string, string>;

/** Starts a program that the cleanup stops. Prints its output if it fails before. */
export async function ownProgram(cleanup: Cleanup, command: readonly string[], variables: Variables = {}) {
  const program = await cleanup.own(
    async () => new Program(command, { env: isolatedEnvironment(variables) }),
    (started) => started.stop(),
  );
  void program.exited().then((code) => code && console.error(`${command[0]} exited with ${code}:\n${program.output}`));
  return program;
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
