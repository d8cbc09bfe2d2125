import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { step, StepFailed } from './step.mjs';
import { fromRoot, packageFolders } from './workspace.mjs';

const stateFile = fromRoot('node_modules/.petstore-install.json');
const pnpmFolder = fromRoot('scripts/pnpm/node_modules');
const generator = fromRoot('scripts/generate-prisma-client.mjs');
const unreachable = /ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|error sending request|dns error/;

/** The packages that `npm start` builds and runs, with their dependencies: no linters, browser tests, benchmark or drills. */
const servingPackages = ['@petstore/api...', '@petstore/admin...'];

/**
 * Installs pnpm and the packages of the lockfile, unless they are installed. `scope` is 'serving' or 'development', which
 * includes 'serving'.
 */
export async function install(scope = 'development') {
  if (!isPnpmInstalled()) await explainNetworkErrors(installPnpm);
  process.env.PATH = [join(pnpmFolder, '.bin'), dirname(process.execPath), process.env.PATH].join(delimiter);
  const state = readState();
  const inputs = hashInputs();
  const isIntact = state?.root === fromRoot() && state.contents === hashContents();
  const hasScope = state?.scope === scope || state?.scope === 'development';
  if (isIntact && hasScope && state.inputs === inputs) return;
  rmSync(stateFile, { force: true });
  // pnpm does not repair node_modules, and its programs contain the path in which they were installed.
  if (!isIntact) removePackages();
  await explainNetworkErrors(() => installPackages(scope));
  // Editors need it before the first build.
  const schemas = [
    'prisma/schema.prisma',
    ...(scope === 'development' ? ['bench/src/peers/starter/schema.prisma'] : []),
  ];
  for (const schema of schemas) await step('Generating the Prisma client', process.execPath, [generator, schema]);
  const newState = { root: fromRoot(), scope, inputs, contents: hashContents() };
  writeFileSync(stateFile, JSON.stringify(newState));
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

function installPackages(scope) {
  const filters = scope === 'serving' ? servingPackages.map((name) => `--filter=${name}`) : [];
  return step('Installing packages', 'pnpm', [...filters, 'install', '--frozen-lockfile']);
}

function removePackages() {
  try {
    for (const folder of installFolders()) rmSync(fromRoot(folder), { recursive: true, force: true });
  } catch (error) {
    throw new StepFailed(
      `Cannot remove node_modules: ${error.message}.\n` +
        'An install that was killed may still be running. Wait until it has ended, then run the command again.',
      { cause: error },
    );
  }
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

function readState() {
  try {
    return JSON.parse(readFileSync(stateFile, 'utf8'));
  } catch {
    return undefined;
  }
}

function hashInputs() {
  const manifests = ['.', ...packageFolders()].map((folder) => join(folder, 'package.json'));
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests];
  return hash([process.version, process.arch, ...files.flatMap((file) => [file, readFileSync(fromRoot(file))])]);
}

/** Hashes the names of the installed packages. Skips names that begin with a dot: tools keep caches there. */
function hashContents() {
  const list = (folder) => (existsSync(fromRoot(folder)) ? readdirSync(fromRoot(folder)).toSorted() : []);
  const direct = installFolders().flatMap((folder) => [
    folder,
    ...list(folder).filter((name) => !name.startsWith('.')),
  ]);
  const isComplete = existsSync(fromRoot('node_modules/.modules.yaml'));
  return hash([isComplete, ...direct, ...list('node_modules/.pnpm')].map(String));
}

function installFolders() {
  return ['.', ...packageFolders()].map((folder) => join(folder, 'node_modules'));
}

function hash(parts) {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part).update('\0');
  return sum.digest('hex');
}
