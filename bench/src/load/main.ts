import type { LoadMessage, LoadOrder } from './load-job.js';
import { LoadRun } from './load-run.js';

/** The load tool is a process of its own: it does what one order says, and lives until the one who gave it has heard of it. */
const say = (message: LoadMessage) => void process.send?.(message);

process.on('disconnect', () => process.exit());
process.on('message', (order: LoadOrder) => void follow(order).then(say));

async function follow({ jobs, turns }: LoadOrder): Promise<LoadMessage> {
  const runs = jobs.map((load, job) => {
    const listener = { measuring: () => say({ is: 'measuring', job }), measured: () => say({ is: 'measured', job }) };
    return { job, run: new LoadRun(load, listener) };
  });
  for (let turn = 0; turn < turns; turn += 1) {
    for (const { job, run } of runs) {
      try {
        await run.turn();
      } catch (error) {
        return { is: 'failed', job, reason: (error as Error).message };
      }
    }
  }
  return { is: 'done', results: runs.map(({ run }) => run.end()) };
}
