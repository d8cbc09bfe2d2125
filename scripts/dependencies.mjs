import { spawnSync } from 'node:child_process';
import { execute } from './step.mjs';
import { fromRoot } from './workspace.mjs';

/** Errors of a registry that has no database of vulnerabilities, for example most mirrors. */
const unsupported = /ERR_PNPM_AUDIT_(BAD_RESPONSE|ENDPOINT_NOT_EXISTS)/;

/** Compares all dependencies with the known vulnerabilities. */
export async function audit(args) {
  const { code, output } = await execute('pnpm', ['audit', ...args]);
  const isUnsupported = code !== 0 && unsupported.test(output);
  if (isUnsupported) console.log('Not checked: the npm registry has no data about vulnerabilities.');
  console.log(output.trim());
  process.exitCode = isUnsupported ? 0 : (code ?? 1);
}

const threeDaysInMinutes = 3 * 24 * 60;

/** Updates dependencies to releases that are at least three days old: harmful ones are usually removed before. */
export function update(args) {
  const options = [`--config.minimumReleaseAge=${threeDaysInMinutes}`, '--recursive', ...args];
  const { status } = spawnSync('pnpm', ['update', ...options], { cwd: fromRoot(), stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
