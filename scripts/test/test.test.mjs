import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Repository } from './support/repository.mjs';

const execution = { exitCode: 0 };
const task = { task: 'test', command: 'vitest run', package: 'one', directory: 'packages/one', execution, cache: {} };
const good = {
  report: JSON.stringify({ testResults: [{ status: 'passed', assertionResults: [{ status: 'passed' }] }] }),
  summary: JSON.stringify({ tasks: [task] }),
};

let repository;
beforeAll(async () => {
  repository = new Repository();
  await repository.install();
  mkdirSync(repository.path('packages/one/reports'));
});
afterAll(() => repository.remove());

describe('the last line of npm test', () => {
  it('is the sum of the tests', () => {
    turbo(good);
    expect(test()).toMatchObject({ status: 0, lastLine: '1 passed, 0 failed' });
  });

  it('has a failed test when turbo is killed, before or after its summary', () => {
    turbo({ end: 'kill -KILL $$' });
    expect(test()).toMatchObject({ status: 1, lastLine: '0 passed, 1 failed' });
    turbo({ ...good, end: 'kill -KILL $$' });
    expect(test()).toMatchObject({ status: 1, lastLine: '1 passed, 1 failed' });
  });

  it('has a failed test for a report that is cut off', () => {
    turbo({ ...good, report: '{"testResults":[' });
    expect(test()).toMatchObject({ status: 1, lastLine: '0 passed, 1 failed' });
  });

  it('is a sum even if the command itself fails and prints an error', () => {
    turbo({ summary: '{"tasks":[' });
    expect(test()).toMatchObject({
      status: 1,
      lastLine: '0 passed, 1 failed',
      stderr: expect.stringContaining('SyntaxError'),
    });
  });
});

/** Replaces turbo: writes a report and a summary, if given, and may fail. */
function turbo({ report, summary, end = 'exit 0' }) {
  const lines = ['[ "$2" = build ] && exit 0'];
  if (report) lines.push(`echo '${report}' > packages/one/reports/test.json`);
  if (summary) lines.push(`echo '${summary}' > summary.json`, 'echo "Summary:    $PWD/summary.json"');
  repository.program('scripts/bootstrap/node_modules/.bin/turbo', [...lines, end].join('\n'));
}

function test() {
  const { root: cwd, env } = repository;
  const options = { cwd, env, encoding: 'utf8', timeout: 60_000 };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/run.mjs', 'test'], options);
  return { status, stderr, lastLine: stdout.trim().split('\n').at(-1) };
}
