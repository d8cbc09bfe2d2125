import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The directory of the built service. */
export const serviceDirectory = fileURLToPath(new URL('../../../apps/api/dist/', import.meta.url));

/** Starts a program of the built service, such as `manage.js`. */
export function startProgram(program: string, args: string[], variables: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [`${serviceDirectory}${program}`, ...args], { env: isolatedEnvironment(variables) });
}

/** Runs a program of the built service until it exits. */
export async function runProgram(program: string, args: string[], variables: Record<string, string>) {
  const child = startProgram(program, args, variables);
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)));
  await once(child, 'close');
  return { stdout, stderr, code: child.exitCode };
}

/** Passes on only PATH and HOME of this process's environment. */
export function isolatedEnvironment(variables: Record<string, string>): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, ...variables };
}
