import { spawnSync } from 'node:child_process';
import { fromRoot } from './workspace.mjs';

const threeDaysInMinutes = 3 * 24 * 60;

/** Updates dependencies to releases that are at least three days old: harmful ones are usually removed before. */
export function update(args) {
  const options = [`--config.minimumReleaseAge=${threeDaysInMinutes}`, '--recursive', ...args];
  const { status } = spawnSync('pnpm', ['update', ...options], { cwd: fromRoot(), stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
