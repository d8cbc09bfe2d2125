import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { withLock } from './lock.mjs';
import { step, StepFailed } from './step.mjs';
import { fromRoot } from './workspace.mjs';

const pnpmFolder = fromRoot('scripts/pnpm/node_modules');
const generator = fromRoot('scripts/generate-prisma-client.mjs');
const unreachable = /ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|error sending request|dns error/;

/** The packages that `npm start` builds and runs, with their dependencies: no linters, browser tests, benchmark or drills. */
const servingPackages = ['--filter=@petstore/api...', '--filter=@petstore/admin...'];

/** The generated Prisma clients: editors and the type checker need them before the first build. */
const clients = {
  serving: { 'prisma/schema.prisma': 'apps/api/src/platform/database/generated' },
  development: { 'bench/src/peers/starter/schema.prisma': 'bench/src/peers/starter/generated' },
};

/**
 * Installs pnpm, unless it is installed, and the packages of the lockfile: pnpm decides what is missing or stale. `scope` is
 * 'serving' or 'development', which includes 'serving'.
 */
export function install(scope = 'development') {
  return withLock(() => explainNetworkErrors(() => installAll(scope)));
}

async function installAll(scope) {
  if (!isPnpmInstalled()) await installPnpm();
  process.env.PATH = [join(pnpmFolder, '.bin'), dirname(process.execPath), process.env.PATH].join(delimiter);
  const filters = scope === 'serving' ? servingPackages : [];
  await step('Installing packages', 'pnpm', [...filters, 'install', '--frozen-lockfile']);
  const wanted = { ...clients.serving, ...(scope === 'development' && clients.development) };
  for (const [schema, folder] of Object.entries(wanted)) {
    if (existsSync(fromRoot(folder))) continue;
    await step('Generating the Prisma client', process.execPath, [generator, schema]);
  }
}

/** npm writes `.package-lock.json` last, so an interrupted `npm ci` does not count. */
function isPnpmInstalled() {
  try {
    const installed = JSON.parse(readFileSync(join(pnpmFolder, '.package-lock.json'), 'utf8'));
    const { packages } = JSON.parse(readFileSync(fromRoot('scripts/pnpm/package-lock.json'), 'utf8'));
    const isSame = installed.packages['node_modules/pnpm'].version === packages['node_modules/pnpm'].version;
    return isSame && existsSync(join(pnpmFolder, '.bin/pnpm'));
  } catch {
    return false;
  }
}

function installPnpm() {
  // The retries are those of pnpm-workspace.yaml.
  const retries = ['--fetch-retries=4', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
  const options = ['--no-audit', '--no-fund', '--ignore-scripts=false', '--loglevel=error', ...retries];
  return step('Installing pnpm', 'npm', ['ci', '--prefix', fromRoot('scripts/pnpm'), ...options]);
}

async function explainNetworkErrors(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StepFailed) || !unreachable.test(error.message)) throw error;
    throw new StepFailed(
      `${error.message}\nThe npm registry does not respond. The first run downloads packages from it.\n` +
        'Connect to the network (for a proxy, see `npm config set proxy` and `registry`), then run the command again.',
      { cause: error },
    );
  }
}
