import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { fromRoot } from './workspace.mjs';

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'];

/** A step that did not succeed; the message is what its program wrote. */
export class StepFailed extends Error {}

/** Runs one step of the work. Standard error says what it is and how long it took; what the program wrote is returned. */
export async function step(title, command, args) {
  process.stderr.write(`${title} … `);
  const { code, output, seconds } = await execute(command, args);
  process.stderr.write(code === 0 ? `${seconds} s\n` : `failed after ${seconds} s\n`);
  if (code !== 0) throw new StepFailed(output);
  return output;
}

/**
 * Runs a program in the repository's root to its end and returns its exit code (`null` when a signal ended it), all
 * that it wrote, and the seconds it took. A signal to this process goes on to the program, and ends both.
 */
export async function execute(command, args) {
  const started = performance.now();
  let child;
  const release = onSignals((signal) => {
    child.once('exit', () => process.exit(128 + constants.signals[signal]));
    child.kill(signal);
  });
  child = spawn(command, args, { cwd: fromRoot(), stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  const [code] = await once(child, 'close').catch((error) => {
    chunks.push(Buffer.from(`${error.message}\n`));
    return [127];
  });
  release();
  return { code, output: Buffer.concat(chunks).toString(), seconds: ((performance.now() - started) / 1000).toFixed(1) };
}

/** Returns what takes the handler away again. */
function onSignals(handler) {
  for (const signal of signals) process.on(signal, handler);
  return () => {
    for (const signal of signals) process.off(signal, handler);
  };
}
