import { execFileSync } from 'node:child_process';
import { Tally } from '../tally.js';
import { runRounds } from './cluster-rounds.js';

/** Runs in the sandbox. Sends the counts to its parent, and ends with it. */
const [directory = '', rounds = ''] = process.argv.slice(2);
process.once('disconnect', () => process.exit(1));
const tally = new Tally();
await runRounds(directory, Number(rounds), tally).catch((error: Error) => {
  console.error(execFileSync('sh', ['-c', 'tail -n 20 "$1"/*/*.log', 'sh', directory], { encoding: 'utf8' }));
  throw error;
});
process.send?.(tally.report(), () => process.exit(0));
