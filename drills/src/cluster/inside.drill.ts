import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { drill } from '../drill.js';
import { runRounds } from './faults.js';
import { reportOf, sandboxDirectory } from './sandbox.js';

/** The drill `cluster` runs this one in a sandbox, and adds its report. */
drill('the faults of a cluster', { timeout: 1_200_000 }, async ({ isQuick, tally }) => {
  const directory = sandboxDirectory() ?? '';
  await runRounds(directory, isQuick ? 1 : 2, tally).catch((error: Error) => {
    console.error(execFileSync('sh', ['-c', 'tail -n 20 "$1"/*/*.log', 'sh', directory], { encoding: 'utf8' }));
    throw error;
  });
  await writeFile(reportOf(directory), JSON.stringify(tally));
});
