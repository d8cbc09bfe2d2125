import { requireWritable, step } from './step.mjs';
import { fromRoot } from './workspace.mjs';

export const turbo = fromRoot('node_modules/.bin/turbo');

/** Builds what has changed in these packages and their dependencies, or in all packages. */
export async function build(...packages) {
  const filters = packages.map((name) => `--filter=${name}`);
  try {
    await step('Building', turbo, ['run', 'build', '--continue', '--output-logs=errors-only', ...filters]);
  } catch (error) {
    // Turbo writes nothing if nothing has changed.
    requireWritable('The sources have changed and must be built');
    throw error;
  }
}
