import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadJob, LoadMessage, LoadResult } from './load-job.js';
import type { Listener } from './load-run.js';

/** Beyond warm-up and duration: start, and the wait for the last answers. */
const graceMs = 40_000;
const entry = fileURLToPath(new URL('main.js', import.meta.url));
const quiet: Listener = { measuring: () => undefined, measured: () => undefined };

/**
 * Loads a server from a process of its own.
 * @throws Error with the first answer that is wrong or missing.
 */
export async function runLoad(job: LoadJob, listener: Listener = quiet): Promise<LoadResult> {
  const child = fork(entry, { serialization: 'advanced', execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  const timeLimit = setTimeout(() => child.kill('SIGKILL'), job.warmupMs + job.durationMs + graceMs);
  try {
    child.send(job);
    return await resultOf(child, listener);
  } finally {
    clearTimeout(timeLimit);
    child.kill('SIGKILL');
    await ended;
  }
}

function resultOf(child: ChildProcess, listener: Listener): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`the load process ended with ${code ?? signal}`)));
    child.on('message', (message: LoadMessage) => {
      if (message.is === 'measuring') listener.measuring();
      if (message.is === 'measured') listener.measured();
      if (message.is === 'done') resolve(message.result);
      if (message.is === 'failed') reject(new Error(message.reason));
    });
  });
}
