import { spawnSync } from 'node:child_process';
import { build } from './turbo.mjs';
import { fromRoot } from './workspace.mjs';

/** Runs the tests of the API and reports the coverage of code that runs in the test process. */
export async function coverage() {
  await build('@petstore/api', '@petstore/admin');
  const options = [
    '--coverage.enabled',
    '--coverage.include=src/**',
    '--coverage.exclude=src/**/generated/**',
    `--coverage.reportsDirectory=${fromRoot('coverage')}`,
    '--coverage.reporter=text-summary',
    '--coverage.reporter=html',
  ];
  const vitest = fromRoot('apps/api/node_modules/.bin/vitest');
  const { status } = spawnSync(vitest, ['run', ...options], { cwd: fromRoot('apps/api'), stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
