import type { LoadJob, LoadMessage } from './load-job.js';
import { LoadRun } from './load-run.js';

/** The load tool is a process of its own: it does one job, and lives until the one who gave it has heard of it. */
const say = (message: LoadMessage) => process.send?.(message);

process.on('disconnect', () => process.exit());
process.on('message', (job: LoadJob) => {
  const run = new LoadRun(job, { measuring: () => say({ is: 'measuring' }), measured: () => say({ is: 'measured' }) });
  void run.run().then(
    (result) => say({ is: 'done', result }),
    (error: Error) => say({ is: 'failed', reason: error.message }),
  );
});
