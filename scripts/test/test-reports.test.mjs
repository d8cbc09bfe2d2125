import { describe, expect, it } from 'vitest';
import { countTests, describeCounts, listFailed, listRetried, sumUp } from '../test.mjs';

const passed = { counts: { passed: 2, failed: 0, skipped: 0 } };

describe('the sum of the tests', () => {
  it.each([
    {
      run: 'passed, failed and was skipped',
      report: { numTotalTests: 5, numPassedTests: 2, numFailedTests: 1 },
      code: 1,
      counts: { passed: 2, failed: 1, skipped: 2 },
    },
    {
      run: 'failed outside of the tests, as one failed test',
      report: { numTotalTests: 1, numPassedTests: 1, numFailedTests: 0 },
      code: 1,
      counts: { passed: 1, failed: 1, skipped: 0 },
    },
    { run: 'has no report, as one failed test', code: 0, counts: { passed: 0, failed: 1, skipped: 0 } },
  ])('counts what $run', ({ report, code, counts }) => {
    expect(countTests(report, code)).toEqual(counts);
  });

  it('names the tests that failed, and those that passed when they were retried', () => {
    const test = (fullName, status, ...failureMessages) => ({ fullName, status, failureMessages });
    const assertionResults = [test('calm', 'passed'), test('flaky', 'passed', 'Error'), test('red', 'failed', 'Error')];
    const report = { testResults: [{ status: 'failed', assertionResults }] };
    expect(listFailed(report)).toEqual(['red']);
    expect(listRetried(report)).toEqual(['flaky']);
    expect(listFailed(undefined)).toEqual([]);
  });

  it.each([
    {
      of: 'all packages',
      runs: [passed, { counts: { passed: 3, failed: 1, skipped: 0 } }],
      code: 1,
      sum: '5 passed, 1 failed',
    },
    {
      of: 'a run with skipped tests',
      runs: [{ counts: { passed: 1, failed: 0, skipped: 2 } }],
      code: 0,
      sum: '1 passed, 0 failed, 2 skipped',
    },
    { of: 'a killed turbo, as one failed test', runs: [passed], code: null, sum: '2 passed, 1 failed' },
    { of: 'no test, as one failed test', runs: [], code: 0, sum: '0 passed, 1 failed' },
  ])('prints the sum of $of', ({ runs, code, sum }) => {
    expect(describeCounts(sumUp(runs, code))).toBe(sum);
  });
});
