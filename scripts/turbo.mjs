import { step } from './step.mjs';
import { fromRoot } from './workspace.mjs';

export const turbo = fromRoot('scripts/bootstrap/node_modules/.bin/turbo');

/** The options of every run of turbo: logs of failed tasks only, no notices. */
export const quietly = [
  // Scripts parse the output. FORCE_COLOR would color it even in a pipe.
  '--no-color',
  '--output-logs=errors-only',
  '--log-order=grouped',
  '--log-prefix=none',
  '--no-update-notifier',
];

/** Builds what has changed in these packages and their dependencies, or in all packages. */
export async function build(...packages) {
  const filters = packages.map((name) => `--filter=${name}`);
  await step('Building', turbo, ['run', 'build', ...filters, ...quietly]);
}
