import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { step, StepFailed } from './step.mjs';
import { fromRoot } from './workspace.mjs';

const folder = fromRoot('scripts/bootstrap');

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
export async function install(scope = 'development') {
  rejectFolder();
  const isFirst = !isBootstrapped();
  process.env.PATH = [join(folder, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH].join(delimiter);
  try {
    if (isFirst) await bootstrap();
    const filters = scope === 'serving' ? servingPackages : [];
    const title = `Installing packages${isFirst ? ', which can take some minutes the first time' : ''}`;
    await step(title, 'pnpm', [...filters, 'install', '--frozen-lockfile']);
  } catch (error) {
    const advice =
      'If the npm registry cannot be reached, connect to the network (for a proxy: `npm config set proxy`).';
    throw error instanceof StepFailed ? new StepFailed(`${error.message}\n${advice}`) : error;
  }
  const wanted = { ...clients.serving, ...(scope === 'development' && clients.development) };
  for (const [schema, generated] of Object.entries(wanted)) {
    if (existsSync(fromRoot(generated))) continue;
    const generator = fromRoot('apps/api/generate-prisma-client.mjs');
    await step('Generating the Prisma client', process.execPath, [generator, schema]);
  }
}

/** Vite takes # and ? for the end of a path, PATH ends at a colon, and initdb runs PostgreSQL by a shell in double quotes. */
function rejectFolder() {
  const [character] = /[#?:"$`]/.exec(fromRoot()) ?? [];
  if (character === undefined) return;
  throw new StepFailed(
    `Petstore does not work in ${fromRoot()}: the path has the character ${character}. Nothing was installed. ` +
      'Move it to a path without these characters: # ? : " $ `',
  );
}

/** npm writes `.package-lock.json` last, so an interrupted `npm ci` does not count. */
function isBootstrapped() {
  const [installed, locked] = ['node_modules/.package-lock.json', 'package-lock.json'].map(readVersions);
  return installed !== undefined && installed === locked;
}

function readVersions(file) {
  if (!existsSync(join(folder, file))) return undefined;
  const { packages } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  return ['pnpm', 'turbo'].map((name) => packages[`node_modules/${name}`]?.version).join();
}

function bootstrap() {
  // The retries are those of pnpm-workspace.yaml.
  const retries = ['--fetch-retries=4', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
  const options = ['--no-audit', '--no-fund', '--ignore-scripts=false', '--loglevel=error', ...retries];
  return step('Installing pnpm and turbo', 'npm', ['ci', '--prefix', folder, ...options]);
}
