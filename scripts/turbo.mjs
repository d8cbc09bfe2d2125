import { step } from './step.mjs';
import { fromRoot } from './workspace.mjs';

export const turbo = fromRoot('scripts/bootstrap/node_modules/.bin/turbo');

/** Builds what has changed in these packages and their dependencies, or in all packages. */
export async function build(...packages) {
  const filters = packages.map((name) => `--filter=${name}`);
  await step('Building', turbo, ['run', 'build', '--continue', '--output-logs=errors-only', ...filters]);
}
