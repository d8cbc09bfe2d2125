import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadJob, LoadMessage, LoadOrder, LoadResult } from './load-job.js';
import type { Listener } from './load-run.js';

/** In addition to warm-up and duration: for the start and the last responses. */
const graceMs = 40_000;
const entry = fileURLToPath(new URL('main.js', import.meta.url));

/** The first wrong or missing response of a load. */
export class LoadError extends Error {
  override readonly name = 'LoadError';

  constructor(
    message: string,
    /** The index of its job. */
    readonly job: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Loads a server from a separate process.
 * @throws LoadError
 */
export async function runLoad(job: LoadJob): Promise<LoadResult> {
  const [result] = await runLoads({ jobs: [job], turns: 1 }, []);
  return result as LoadResult;
}

/**
 * Loads servers from one process, in turns. Listeners and results have the order of the jobs.
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
    child.once('exit', (code, signal) => reject(new Error(`The load process ended with ${code ?? signal}.`)));
    child.on('message', (message: LoadMessage) => {
      if (message.type === 'measuring' || message.type === 'measured') {
        void listeners[message.job]?.[message.type]();
        child.send('continue');
      }
      if (message.type === 'done') resolve(message.results);
      if (message.type === 'failed') reject(new LoadError(message.reason, message.job));
    });
  });
}
