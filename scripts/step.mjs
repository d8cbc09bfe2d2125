import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { fromRoot } from './workspace.mjs';

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'];
/** The number of running programs, and the signal that stops them, if one has arrived. */
let running = 0;
let stopSignal;

/** A step that failed. The message is the output of its program. */
export class StepFailed extends Error {}

/**
 * Runs a program and returns its output. Reports the title and the duration on standard error if it takes longer than
 * 0.5 s, meanwhile the elapsed seconds every ten seconds. Throws `StepFailed` if it fails.
 */
export async function step(title, command, args) {
  const began = performance.now();
  const write = (text) => process.stderr.write(text);
  let interval;
  const delay = setTimeout(() => {
    write(`${title} … `);
    interval = setInterval(() => write(`${((performance.now() - began) / 1000).toFixed(0)} s … `), 10_000);
  }, 500);
  const { code, output, seconds } = await execute(command, args);
  clearTimeout(delay);
  clearInterval(interval);
  if (code === 0 && interval) write(`${seconds} s\n`);
  if (code !== 0) write(`${interval ? '' : `${title} … `}failed after ${seconds} s\n`);
  if (code !== 0) throw new StepFailed(output);
  return output;
}

/**
 * Runs a program in the repository's root. Returns its exit code (`null` after a signal), its output, and the seconds
 * that it took. A signal to this process stops the programs first, then this process.
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

/** Signals the process group, because some programs do not stop the processes that they started. */
function stop({ pid }, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended already.
  }
}

/** Exits when the last program has stopped. Never resolves, so nothing starts after a signal. */
function endWithLast() {
  if (running === 0) process.exit(128 + constants.signals[stopSignal]);
  return new Promise(() => {});
}

/** Returns a function that removes the handler. */
function onSignals(handler) {
  for (const signal of signals) process.on(signal, handler);
  return () => {
    for (const signal of signals) process.off(signal, handler);
  };
}
