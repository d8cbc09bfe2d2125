import { execute } from './step.mjs';

/** The exit code when nothing was checked. pnpm's own is 1, as for a vulnerability. */
const notChecked = 3;

/** Compares all dependencies with the known vulnerabilities. */
export async function audit(args) {
  const { code, output } = await execute('pnpm', ['audit', ...args]);
  console.log(output.trim());
  // The registry cannot be reached or, like most mirrors, has no database of vulnerabilities.
  const isChecked = code === 0 || !output.includes('ERR_PNPM_AUDIT_');
  if (!isChecked) console.error('Nothing was checked: the npm registry gave no data about vulnerabilities.');
  process.exitCode = isChecked ? (code ?? 1) : notChecked;
}
