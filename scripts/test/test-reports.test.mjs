import { describe, expect, it } from 'vitest';
import { countTests, describeCounts, listFailed, listRetried, sumUp } from '../test.mjs';

const file = (status, ...states) => ({ status, assertionResults: states.map((state) => ({ status: state })) });

describe('the sum of the tests', () => {
  it.each([
    [
      'passed, failed and was skipped',
      [file('passed', 'passed', 'skipped', 'todo'), file('failed', 'passed', 'failed')],
      1,
      [2, 1, 2],
    ],
    [
      'does not load or fails in a hook, as one failed test for each file',
      [file('failed'), file('failed', 'passed'), file('passed', 'passed')],
      1,
      [2, 2, 0],
    ],
    ['fails outside of the tests, as one failed test', [file('passed', 'passed')], 1, [1, 1, 0]],
    ['has no report, as one failed test, whatever the exit code', undefined, 0, [0, 1, 0]],
  ])('counts what %s', (_, testResults, code, [passed, failed, skipped]) => {
    expect(countTests(testResults && { testResults }, code)).toEqual({ passed, failed, skipped });
  });

  it('names the tests that failed, and those that passed when they were retried', () => {
    const test = (fullName, status, ...failureMessages) => ({ fullName, status, failureMessages });
    const assertionResults = [test('calm', 'passed'), test('flaky', 'passed', 'Error'), test('red', 'failed', 'Error')];
    const report = { testResults: [{ status: 'failed', assertionResults }] };
    expect([listFailed(report), listRetried(report)]).toEqual([['red'], ['flaky']]);
    expect([listFailed(undefined), listRetried(undefined)]).toEqual([[], []]);
  });

  it('prints the sum of all packages in one line', () => {
    const runs = [{ counts: { passed: 2, failed: 0, skipped: 0 } }, { counts: { passed: 3, failed: 1, skipped: 0 } }];
    expect(describeCounts(sumUp(runs, 1))).toBe('5 passed, 1 failed');
    expect(describeCounts({ passed: 1, failed: 0, skipped: 2 })).toBe('1 passed, 0 failed, 2 skipped');
  });

  it('counts a failure of turbo itself, or a run without any test, as one failed test', () => {
    const runs = [{ counts: { passed: 2, failed: 0, skipped: 0 } }];
    expect([runs, []].map((given) => describeCounts(sumUp(given, null)))).toEqual([
      '2 passed, 1 failed',
      '0 passed, 1 failed',
    ]);
    expect([runs, []].map((given) => describeCounts(sumUp(given, 0)))).toEqual([
      '2 passed, 0 failed',
      '0 passed, 1 failed',
    ]);
  });
});
