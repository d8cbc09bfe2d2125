import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { withLock } from './lock.mjs';
import { step } from './step.mjs';
import { fromRoot } from './workspace.mjs';

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
  await withLock(() => step('Building', findTurbo(), ['run', 'build', ...filters, ...quietly]));
}

/** The path of turbo's binary: its start script would take 0.2 s to find it. */
export function findTurbo() {
  const require = createRequire(realpathSync(fromRoot('node_modules/turbo/package.json')));
  const platform = `${process.platform}-${process.arch.replace('x64', '64')}`;
  try {
    return require.resolve(`@turbo/${platform}/bin/turbo`);
  } catch {
    return fromRoot('node_modules/.bin/turbo');
  }
}
