import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { step, StepFailed } from './step.mjs';
import { fromRoot, packageFolders, readManifest } from './workspace.mjs';

const stampFile = fromRoot('node_modules/.petstore-install.json');
const unreachable = /ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|error sending request|dns error/;

/** Puts the pinned pnpm on the PATH and installs what the lockfile says, unless both are done already. */
export async function install() {
  const inputs = hashInputs();
  const stamp = readStamp();
  const pnpmFolder = stamp && holdsPnpm(stamp.pnpmFolder) ? stamp.pnpmFolder : await explained(fetchPnpm);
  process.env.PATH = [pnpmFolder, dirname(process.execPath), process.env.PATH].join(delimiter);
  if (stamp?.inputs === inputs && stamp.pnpmFolder === pnpmFolder && packageFolders().every(isInstalled)) return;
  // Gone while the work is under way: an interrupted install is done again.
  rmSync(stampFile, { force: true });
  await explained(installPackages);
  writeFileSync(stampFile, JSON.stringify({ inputs, pnpmFolder }));
}

async function fetchPnpm() {
  const { packageManager } = readManifest('.');
  const print = 'console.log("PATH=" + process.env.PATH)';
  // Tries as often as pnpm does (pnpm-workspace.yaml), and may say why it failed (.npmrc mutes it).
  const options = [
    '--yes',
    '--loglevel=error',
    '--fetch-retries=4',
    '--fetch-retry-mintimeout=1000',
    '--fetch-retry-maxtimeout=5000',
  ];
  const args = [...options, `--package=${packageManager}`, '--', 'node', '-e', print];
  const output = await step(`Fetching ${packageManager}`, 'npx', args);
  return /^PATH=(.*)$/m.exec(output)[1].split(delimiter).find(holdsPnpm);
}

function installPackages() {
  return step('Installing packages', 'pnpm', ['install', '--frozen-lockfile']);
}

/** Says in words what a failure to reach the registry means. */
async function explained(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StepFailed) || !unreachable.test(error.message)) throw error;
    throw new StepFailed(
      `${error.message}\nThe npm registry does not answer. The first run has to fetch packages from it:\n` +
        'connect to the network (behind a proxy, see `npm config set proxy` and `registry`) and run the same command again.',
      { cause: error },
    );
  }
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return undefined;
  }
}

function hashInputs() {
  const manifests = ['.', ...packageFolders()].map((folder) => join(folder, 'package.json'));
  const hash = createHash('sha256').update(process.version);
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', '.npmrc', ...manifests]) {
    hash.update(`\0${file}\0`).update(readFileSync(fromRoot(file)));
  }
  return hash.digest('hex');
}

function holdsPnpm(folder) {
  return existsSync(join(folder, 'pnpm'));
}

function isInstalled(folder) {
  return existsSync(fromRoot(folder, 'node_modules'));
}
