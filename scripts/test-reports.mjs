/**
 * Counts the tests of one package: `{ passed, failed, skipped }`. `report` is vitest's, or `undefined` if it is missing.
 * A failure outside of a test counts as one failed test. Examples: a file that does not load, a run without a report, and a
 * run that fails although its tests passed.
 */
export function countTests(report, exitCode) {
  const files = report?.testResults ?? [];
  return countRunFailure(add(files.map(countFile)), exitCode === 0 && report);
}

/** Adds up the runs of all packages. If turbo fails or nothing was tested, that counts as a failed test. */
export function sumUp(runs, exitCode) {
  const sum = add(runs.map(({ counts }) => counts));
  return countRunFailure(sum, exitCode === 0 && sum.passed > 0);
}

/** The full names of the tests that failed first and passed when they were retried. */
export function listRetried(report) {
  const tests = (report?.testResults ?? []).flatMap(({ assertionResults }) => assertionResults);
  const isRetried = ({ status, failureMessages }) => status === 'passed' && failureMessages?.length > 0;
  return tests.filter(isRetried).map(({ fullName }) => fullName);
}

/** Returns `N passed, N failed`, followed by `, N skipped` if tests were skipped. */
export function describeCounts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function countRunFailure(counts, hasSucceeded) {
  return hasSucceeded || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

function add(counts) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const count of counts) for (const state of Object.keys(sum)) sum[state] += count[state];
  return sum;
}

function countFile({ status, assertionResults }) {
  const of = (...states) => assertionResults.filter((test) => states.includes(test.status)).length;
  const [passed, failed] = [of('passed'), of('failed')];
  return {
    passed,
    failed: status === 'failed' ? Math.max(failed, 1) : failed,
    skipped: assertionResults.length - passed - failed,
  };
}
