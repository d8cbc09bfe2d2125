import { once } from 'node:events';
import type { LoadMessage, LoadOrder } from './load-job.js';
import { LoadRun } from './load-run.js';

/** The load tool's process: it executes one order, reports the results and ends when its parent disconnects. */
const send = (message: LoadMessage) => void process.send?.(message);

process.on('disconnect', () => process.exit());
const [order] = (await once(process, 'message')) as [LoadOrder];
send(await follow(order));

async function follow({ jobs, turns }: LoadOrder): Promise<LoadMessage> {
  const runs = jobs.map((load, job) => {
    const listener = { measuring: () => notify('measuring', job), measured: () => notify('measured', job) };
    return { job, run: new LoadRun(load, listener) };
  });
  let now = 0;
  try {
    for (let turn = 0; turn < turns; turn += 1) {
      for (const { job, run } of runs) {
        now = job;
        await run.turn();
      }
    }
    const results = runs.map(({ job, run }) => {
      now = job;
      return run.end();
    });
    return { type: 'done', results };
  } catch (error) {
    return { type: 'failed', job: now, reason: (error as Error).message };
  }
}

/** Sends a message and waits until the parent has handled it. */
async function notify(type: 'measuring' | 'measured', job: number): Promise<void> {
  send({ type, job });
  await once(process, 'message');
}
