import { once } from 'node:events';
import type { LoadMessage, LoadOrder } from './load-job.js';
import { LoadRun } from './load-run.js';

/** The load tool is a process of its own: it does what one order says, and lives until the one who gave it has heard of it. */
const say = (message: LoadMessage) => void process.send?.(message);

process.on('disconnect', () => process.exit());
const [order] = (await once(process, 'message')) as [LoadOrder];
say(await follow(order));

async function follow({ jobs, turns }: LoadOrder): Promise<LoadMessage> {
  const runs = jobs.map((load, job) => {
    const listener = { measuring: () => tell('measuring', job), measured: () => tell('measured', job) };
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
    return { is: 'done', results };
  } catch (error) {
    return { is: 'failed', job: now, reason: (error as Error).message };
  }
}

/** Until it has been heard. */
async function tell(is: 'measuring' | 'measured', job: number): Promise<void> {
  say({ is, job });
  await once(process, 'message');
}
