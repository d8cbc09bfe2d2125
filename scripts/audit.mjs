import { execute } from './step.mjs';

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
