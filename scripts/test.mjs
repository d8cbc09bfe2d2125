import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { execute } from './step.mjs';
import { build, turbo } from './turbo.mjs';
import { fromRoot, packageFolders } from './workspace.mjs';

// Two packages at a time: more compete for the processor, and take as long. Turbo and vitest print each test file when it
// ends, and turbo groups the lines of a package where a CI service can fold them.
const options = ['--concurrency=2', '--continue', '--summarize', '--ui=stream', '--output-logs=new-only'];
// One line for a file: slow tests get none. One busy moment of a shared CI machine must not reject a change: a test gets a
// second attempt there, and the output names it.
const vitestOptions = ['--', '--slowTestThreshold=600000', ...(process.env.CI ? ['--retry=1'] : [])];

const summaries = fromRoot('.turbo/runs');

/** Runs the tests of every package. The last line on standard output is the sum. */
export async function test() {
  console.error('Building the packages, then running their tests, which takes about four minutes.');
  await build();
  // Deletes earlier reports. Turbo restores those of unchanged packages.
  for (const folder of packageFolders()) rmSync(reportOf(folder), { force: true });
  rmSync(summaries, { recursive: true, force: true });
  const { code } = await execute(turbo, ['run', 'test', ...options, ...vitestOptions], { print: true });
  const runs = readRuns();
  const sum = sumUp(runs, code);
  for (const { name, counts, duration } of runs) console.log(`${name}: ${describeCounts(counts)}, ${duration}`);
  for (const { failed, logFile } of runs) {
    for (const name of failed) console.log(`Failed: ${name} (${logFile})`);
  }
  for (const name of runs.flatMap(({ retried }) => retried)) console.log(`Passed at the second attempt: ${name}`);
  // The lines of the packages count the skipped tests.
  console.log(describeCounts({ ...sum, skipped: 0 }));
  process.exitCode = sum.failed > 0 ? 1 : 0;
}

/** Reads the run of each package with tests from turbo's summary. A killed turbo writes none. */
function readRuns() {
  const [file] = existsSync(summaries) ? readdirSync(summaries) : [];
  if (!file) return [];
  const { tasks } = JSON.parse(readFileSync(`${summaries}/${file}`, 'utf8'));
  return tasks.filter(({ task, command }) => task === 'test' && command !== '<NONEXISTENT>').map(toRun);
}

function toRun({ package: name, directory, execution, cache, logFile }) {
  const report = readReport(directory);
  const counts = countTests(report, execution?.exitCode);
  const duration = cache.status === 'HIT' ? 'nothing changed' : describeDuration(execution);
  return { name, duration, counts, logFile, failed: listFailed(report), retried: listRetried(report) };
}

/** `execution` is missing for a package whose build failed. */
function describeDuration(execution) {
  return execution ? `${Math.round((execution.endTime - execution.startTime) / 1000)} s` : 'not run';
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

/**
 * Counts the tests of one package: `{ passed, failed, skipped }`. `report` is vitest's, or `undefined` if it is missing.
 * A run that fails although none of its tests did counts as one failed test, for example if a file does not load.
 */
export function countTests(report, exitCode) {
  const { numPassedTests: passed = 0, numFailedTests: failed = 0, numTotalTests: total = 0 } = report ?? {};
  return countRunFailure({ passed, failed, skipped: total - passed - failed }, exitCode === 0 && report);
}

/** Adds up the runs of all packages. If turbo fails or nothing was tested, that counts as a failed test. */
export function sumUp(runs, exitCode) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const { counts } of runs) for (const state of Object.keys(sum)) sum[state] += counts[state];
  return countRunFailure(sum, exitCode === 0 && sum.passed > 0);
}

/** The full names of the tests that failed. The output of all packages is long. */
export function listFailed(report) {
  return namesOf(report, ({ status }) => status === 'failed');
}

/** The full names of the tests that failed first and passed when they were retried. */
export function listRetried(report) {
  return namesOf(report, ({ status, failureMessages }) => status === 'passed' && failureMessages?.length > 0);
}

function namesOf(report, matches) {
  const tests = (report?.testResults ?? []).flatMap(({ assertionResults }) => assertionResults);
  return tests.filter(matches).map(({ fullName }) => fullName);
}

/** Returns `N passed, N failed`, followed by `, N skipped` if tests were skipped. */
export function describeCounts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function countRunFailure(counts, hasSucceeded) {
  return hasSucceeded || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}
