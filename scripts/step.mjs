import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { fromRoot } from './workspace.mjs';

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'];
/** How many programs are under way, and the signal that they are to end by, if any. */
let running = 0;
let stopSignal;

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
 * that it wrote, and the seconds it took. A signal to this process goes on to the program, and ends both; of several
 * programs, the last to end.
 */
export async function execute(command, args) {
  const started = performance.now();
  let child;
  const release = onSignals((signal) => {
    stopSignal = signal;
    stop(child, signal);
  });
  running += 1;
  child = spawn(command, args, { cwd: fromRoot(), stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  const [code] = await once(child, 'close').catch((error) => {
    chunks.push(Buffer.from(`${error.message}\n`));
    return [127];
  });
  running -= 1;
  if (stopSignal) await endWithLast();
  release();
  return { code, output: Buffer.concat(chunks).toString(), seconds: ((performance.now() - started) / 1000).toFixed(1) };
}

/** With what it has started: detached, it leads a process group. Some programs leave their own ones running. */
function stop({ pid }, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // They have gone, or never came.
  }
}

/** After a signal nothing else begins: this does not return. */
function endWithLast() {
  if (running === 0) process.exit(128 + constants.signals[stopSignal]);
  return new Promise(() => {});
}

/** Returns what takes the handler away again. */
function onSignals(handler) {
  for (const signal of signals) process.on(signal, handler);
  return () => {
    for (const signal of signals) process.off(signal, handler);
  };
}
