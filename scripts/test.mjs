import { existsSync, readFileSync, rmSync } from 'node:fs';
import { execute } from './step.mjs';
import { countTests, describeCounts, listRetried, sumUp } from './test-reports.mjs';
import { build, findTurbo, quietly } from './turbo.mjs';
import { fromRoot, packageFolders, readManifest } from './workspace.mjs';

// Three packages at a time: tests also wait for processes and timers.
const options = ['--concurrency=3', '--continue', '--summarize', ...quietly];

const progressMs = 20_000;

// One busy moment of a shared CI machine must not reject a change. The output names each test that needed the retry.
const vitestOptions = process.env.CI ? ['--', '--retry=1'] : [];

/** Runs the tests of every package. The last line on standard output is the sum. */
export async function test() {
  await build();
  // Deletes earlier reports. Turbo restores those of unchanged packages.
  for (const folder of packageFolders()) rmSync(reportOf(folder), { force: true });
  const stopReporting = reportProgress();
  const { code, output, seconds } = await execute(findTurbo(), ['run', 'test', ...options, ...vitestOptions]);
  stopReporting();
  process.stderr.write(`Testing … ${seconds} s\n`);
  const runs = readRuns(output);
  const sum = sumUp(runs, code);
  if (sum.failed > 0) console.log(`\n${output.trim()}\n`);
  for (const { name, counts, cached } of runs) {
    console.log(`${name}: ${describeCounts(counts)}${cached ? ' (nothing changed)' : ''}`);
  }
  for (const name of runs.flatMap(({ retried }) => retried)) console.log(`Passed at the second attempt: ${name}`);
  // The lines of the packages count the skipped tests.
  console.log(describeCounts({ ...sum, skipped: 0 }));
  process.exitCode = sum.failed > 0 ? 1 : 0;
}

/** Prints a line every 20 s: the tests take minutes. Returns a function that stops it. */
function reportProgress() {
  const folders = packageFolders().filter((folder) => readManifest(folder).scripts?.test !== undefined);
  const begin = performance.now();
  const interval = setInterval(() => {
    const ended = folders.filter((folder) => existsSync(reportOf(folder))).length;
    const seconds = Math.round((performance.now() - begin) / 1_000);
    process.stderr.write(`Testing … ${seconds} s, ${ended} of ${folders.length} packages done\n`);
  }, progressMs);
  return () => clearInterval(interval);
}

/** Reads the run of each package with tests from turbo's summary. */
function readRuns(output) {
  const file = /^\s*Summary:\s+(.+\.json)$/m.exec(output)?.[1];
  if (!file) return [];
  const { tasks } = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  return tasks.filter(({ task, command }) => task === 'test' && command !== '<NONEXISTENT>').map(toRun);
}

function toRun({ package: name, directory, execution, cache }) {
  const report = readReport(directory);
  const counts = countTests(report, execution?.exitCode);
  return { name, cached: cache.status === 'HIT', counts, retried: listRetried(report) };
}

/** `undefined` if the report is missing or incomplete. */
function readReport(folder) {
  try {
    return JSON.parse(readFileSync(reportOf(folder), 'utf8'));
  } catch {
    return undefined;
  }
}

function reportOf(folder) {
  return fromRoot(folder, 'reports/test.json');
}
