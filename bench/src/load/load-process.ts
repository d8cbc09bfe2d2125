import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadJob, LoadMessage, LoadOrder, LoadResult } from './load-job.js';
import type { Listener } from './load-run.js';

/** Beyond warm-up and duration: start, and the wait for the last answers. */
const graceMs = 40_000;
const entry = fileURLToPath(new URL('main.js', import.meta.url));

/** The first answer that is wrong or missing. */
export class LoadError extends Error {
  override readonly name = 'LoadError';

  constructor(
    message: string,
    /** The place of its job in the order. */
    readonly job: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Loads a server from a process of its own.
 * @throws LoadError
 */
export async function runLoad(job: LoadJob): Promise<LoadResult> {
  const [result] = await runLoads({ jobs: [job], turns: 1 }, []);
  return result as LoadResult;
}

/**
 * Loads servers from one process in turns. Listeners and results are in the order of the jobs.
 * @throws LoadError
 */
export async function runLoads(order: LoadOrder, listeners: readonly Listener[]): Promise<readonly LoadResult[]> {
  const child = fork(entry, { serialization: 'advanced', execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  const turnMs = order.jobs.reduce((sum, { warmupMs, durationMs }) => sum + warmupMs + durationMs, 0);
  const timeLimit = setTimeout(() => child.kill('SIGKILL'), order.turns * turnMs + graceMs);
  try {
    child.send(order);
    return await resultsOf(child, listeners);
  } finally {
    clearTimeout(timeLimit);
    child.kill('SIGKILL');
    await ended;
  }
}

function resultsOf(child: ChildProcess, listeners: readonly Listener[]): Promise<readonly LoadResult[]> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`the load process ended with ${code ?? signal}`)));
    child.on('message', (message: LoadMessage) => {
      if (message.is === 'measuring' || message.is === 'measured') {
        void listeners[message.job]?.[message.is]();
        child.send('heard');
      }
      if (message.is === 'done') resolve(message.results);
      if (message.is === 'failed') reject(new LoadError(message.reason, message.job));
    });
  });
}
