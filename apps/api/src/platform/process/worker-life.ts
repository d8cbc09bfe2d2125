import type { Worker } from 'node:cluster';
import { ExplainedError } from '@petstore/contracts';
import { ReportedFailure } from '../errors/startup-error.js';

/** A worker sends it when it serves requests. */
export const readyMessage = 'ready';
/** A worker that receives it completes its requests, then exits. */
export const stopMessage = 'stop';

/** How much longer than the grace period of its requests a worker may take to exit. */
const exitMs = 5000;

/** Resolves to the reason. */
export function untilEnded(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal || `exit code ${code}`));
    // A process that could not be created does not exit.
    worker.once('error', (error) => resolve(error.message));
  });
}

/**
 * Resolves when the worker serves requests, or has stopped because of a signal.
 * @throws ReportedFailure if it ends before.
 */
export async function untilReady(worker: Worker): Promise<void> {
  const ready = new Promise<void>((resolve) => {
    worker.on('message', (message) => {
      if (message === readyMessage) resolve();
    });
  });
  const ended = untilEnded(worker).then((reason) => {
    const { exitCode } = worker.process;
    if (exitCode === 0) return;
    throw exitCode
      ? new ReportedFailure(exitCode)
      : new ExplainedError(`A process ended before it was ready: ${reason}.`);
  });
  await Promise.race([ready, ended]);
  // It may end later.
  ended.catch(() => undefined);
}

/** Resolves when the worker has exited. */
export async function stopWorker(worker: Worker, graceMs: number): Promise<void> {
  if (worker.isDead()) return;
  const ended = untilEnded(worker);
  const killing = setTimeout(() => worker.process.kill('SIGKILL'), graceMs + exitMs);
  // It may have ended in the meantime.
  worker.send(stopMessage, () => undefined);
  await ended;
  clearTimeout(killing);
}
