import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants as fileConstants } from 'node:fs';
import { constants } from 'node:os';
import { fromRoot } from './workspace.mjs';

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'];

/** A wrong argument, or a program that failed. The message is complete for the user. */
export class StepFailed extends Error {}

export const adviceForOtherUsers = 'Ask the owner of this folder to run `npm run build`, or use your own clone.';

/** Throws `StepFailed` if this user cannot write in the repository. `need` says why that is necessary. */
export function requireWritable(need) {
  try {
    accessSync(fromRoot(), fileConstants.W_OK);
  } catch {
    throw new StepFailed(`${need} in ${fromRoot()}, where you cannot write. ${adviceForOtherUsers}`);
  }
}

/** Runs a program. Prints the title on standard error if it takes longer than 0.5 s. Throws `StepFailed` if it fails. */
export async function step(title, command, args) {
  const announcement = setTimeout(() => console.error(`${title} …`), 500);
  const { code, output } = await execute(command, args);
  clearTimeout(announcement);
  if (code !== 0) throw new StepFailed(`${title} failed.\n${output}`);
}

/**
 * Runs a program in the repository's root. Returns its exit code and its output, which `print` sends to standard error
 * instead. A signal to this process first stops the program, then this process.
 */
export async function execute(command, args, { print = false } = {}) {
  const child = spawn(command, args, { cwd: fromRoot(), stdio: ['ignore', ...(print ? [2, 2] : ['pipe', 'pipe'])] });
  let received;
  const stop = (signal) => {
    received = signal;
    // Ctrl-C signals all programs of the terminal.
    if (signal !== 'SIGINT') child.kill(signal);
  };
  for (const signal of signals) process.on(signal, stop);
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(chunk));
  const [code] = await once(child, 'close').catch((error) => {
    chunks.push(Buffer.from(error.message));
    return [127];
  });
  if (received) process.exit(128 + Number(constants.signals[received]));
  for (const signal of signals) process.off(signal, stop);
  return { code, output: Buffer.concat(chunks).toString() };
}
