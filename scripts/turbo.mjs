import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { step } from './step.mjs';
import { fromRoot } from './workspace.mjs';

/** The arguments of every run of turbo: logs of failed tasks only, no notices. */
export const quietly = [
  // What turbo writes is also read, and FORCE_COLOR would have it colour what goes to a pipe.
  '--no-color',
  '--output-logs=errors-only',
  '--log-order=grouped',
  '--log-prefix=none',
  '--no-update-notifier',
];

/** Builds what has changed since the last build: of these packages and what they stand on, or of all. */
export async function build(...packages) {
  const filters = packages.map((name) => `--filter=${name}`);
  await step('Building', findTurbo(), ['run', 'build', ...filters, ...quietly]);
}

/** The path of turbo itself: its start script, which looks for the same file, costs each command 0.2 s. */
export function findTurbo() {
  const require = createRequire(realpathSync(fromRoot('node_modules/turbo/package.json')));
  const platform = `${process.platform}-${process.arch.replace('x64', '64')}`;
  try {
    return require.resolve(`@turbo/${platform}/bin/turbo`);
  } catch {
    return fromRoot('node_modules/.bin/turbo');
  }
}
