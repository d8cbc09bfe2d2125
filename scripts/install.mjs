import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { step, StepFailed } from './step.mjs';
import { fromRoot } from './workspace.mjs';

const folder = fromRoot('scripts/bootstrap');
const generator = fromRoot('apps/api/generate-prisma-client.mjs');
const unreachable = /ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|error sending request|dns error/;

/** The packages that `npm start` builds and runs, with their dependencies: no linters, browser tests, benchmark or drills. */
const servingPackages = ['--filter=@petstore/api...', '--filter=@petstore/admin...'];

/** The generated Prisma clients: editors and the type checker need them before the first build. */
const clients = {
  serving: { 'prisma/schema.prisma': 'apps/api/src/platform/database/generated' },
  development: { 'bench/src/peers/starter/schema.prisma': 'bench/src/peers/starter/generated' },
};

/**
 * Installs pnpm and turbo, unless they are installed, and the packages of the lockfile: pnpm decides what is missing or
 * stale. `scope` is 'serving' or 'development', which includes 'serving'.
 */
export function install(scope = 'development') {
  return explainNetworkErrors(() => installAll(scope));
}

async function installAll(scope) {
  if (!isBootstrapped()) await bootstrap();
  process.env.PATH = [join(folder, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH].join(delimiter);
  const filters = scope === 'serving' ? servingPackages : [];
  await step('Installing packages', 'pnpm', [...filters, 'install', '--frozen-lockfile']);
  const wanted = { ...clients.serving, ...(scope === 'development' && clients.development) };
  for (const [schema, generated] of Object.entries(wanted)) {
    if (existsSync(fromRoot(generated))) continue;
    await step('Generating the Prisma client', process.execPath, [generator, schema]);
  }
}

/** npm writes `.package-lock.json` last, so an interrupted `npm ci` does not count. */
function isBootstrapped() {
  const versions = ['node_modules/.package-lock.json', 'package-lock.json'].map(readVersions);
  return versions[0] !== undefined && versions[0] === versions[1];
}

function readVersions(file) {
  try {
    const { packages } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    return ['pnpm', 'turbo'].map((name) => packages[`node_modules/${name}`].version).join();
  } catch {
    return undefined;
  }
}

function bootstrap() {
  // The retries are those of pnpm-workspace.yaml.
  const retries = ['--fetch-retries=4', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
  const options = ['--no-audit', '--no-fund', '--ignore-scripts=false', '--loglevel=error', ...retries];
  return step('Installing pnpm and turbo', 'npm', ['ci', '--prefix', folder, ...options]);
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
