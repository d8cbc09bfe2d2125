/**
 * The tests of one package: `{ passed, failed, skipped }` of its report by vitest (`undefined` when there is none) and
 * the exit code of its run. What went wrong outside of a test counts as one failed test: a file that does not load, a
 * run that fails though each of its tests passed, a run without a report.
 */
export function countTests(report, exitCode) {
  const files = report?.testResults ?? [];
  return explain(add(files.map(countFile)), exitCode === 0 && report);
}

/** The sum over the runs of all packages. Turbo failing, by its exit code, or nothing tested is a failed test as well. */
export function sumUp(runs, exitCode) {
  const sum = add(runs.map(({ counts }) => counts));
  return explain(sum, exitCode === 0 && sum.passed > 0);
}

/** The full names of the tests that failed first and passed when they were retried. */
export function listRetried(report) {
  const tests = (report?.testResults ?? []).flatMap(({ assertionResults }) => assertionResults);
  const isRetried = ({ status, failureMessages }) => status === 'passed' && failureMessages?.length > 0;
  return tests.filter(isRetried).map(({ fullName }) => fullName);
}

/** `N passed, N failed`, and `, N skipped` when there are. */
export function describeCounts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function explain(counts, isWell) {
  return isWell || counts.failed > 0 ? counts : { ...counts, failed: 1 };
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
