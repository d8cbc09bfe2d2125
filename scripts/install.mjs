import { existsSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { adviceForOtherUsers, requireWritable, step, StepFailed } from './step.mjs';
import { turbo } from './turbo.mjs';
import { fromRoot, packageFolders } from './workspace.mjs';

const folder = fromRoot('scripts/bootstrap');

/** The packages that `npm start` builds and runs, with their dependencies: no linters, browser tests, benchmark or drills. */
const servingPackages = ['--filter=@petstore/api...', '--filter=@petstore/admin...'];

/** What pnpm knows about the installation. It writes the first when all packages are linked and built. */
const [record, state] = ['.modules.yaml', '.pnpm-workspace-state-v1.json'].map((name) =>
  fromRoot('node_modules', name),
);
/** Only an installation of all packages has it. */
const developmentPackages = fromRoot('scripts/node_modules');
const settings = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', '.npmrc'];

/**
 * Installs pnpm and the packages of the lockfile, unless nothing has changed since pnpm last did: then it writes nothing, so
 * other users and read-only clones can use the installation. `scope` is 'serving' or 'development', which includes 'serving'.
 */
export async function install(scope = 'development') {
  rejectFolder();
  process.env.PATH = [join(folder, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH].join(delimiter);
  if (!isInstalled(scope)) {
    rejectOtherUser();
    await installPackages(scope);
  }
  // Editors and the type checker need it before the first build.
  if (existsSync(fromRoot('apps/api/src/platform/database/generated'))) return;
  const generator = fromRoot('apps/api/generate-prisma-client.mjs');
  await step('Generating the Prisma client', process.execPath, [generator, 'prisma/schema.prisma']);
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

function isInstalled(scope) {
  // `npm install` removes the link of turbo.
  const needed = [record, turbo, ...(scope === 'development' ? [developmentPackages] : [])];
  if (!isBootstrapped() || !needed.every(existsSync)) return false;
  const manifests = ['.', ...packageFolders()].map((name) => `${name}/package.json`);
  const installedAt = changedAt(record);
  return [...settings, ...manifests].every((file) => changedAt(fromRoot(file)) <= installedAt);
}

/** 0 for a file that does not exist. */
function changedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** pnpm would replace the packages of another user, who could then not change them. */
function rejectOtherUser() {
  requireWritable('Packages must be installed');
  const packages = fromRoot('node_modules');
  if (!existsSync(packages) || statSync(packages).uid === process.getuid()) return;
  const isOwner = statSync(fromRoot()).uid === process.getuid();
  // `sudo npm start` installs, builds and stores its data as root. Files of packages may be hard links to pnpm's store of root.
  const commands = `sudo rm -rf '${packages}' && sudo chown -R ${process.getuid()} '${fromRoot()}'`;
  const own = `Stop Petstore, run \`${commands}\`, then run the command again.`;
  const advice = isOwner ? own : adviceForOtherUsers;
  throw new StepFailed(`Packages must be installed in ${packages}, which is another user's. ${advice}`);
}

async function installPackages(scope) {
  const isFirst = !isBootstrapped();
  try {
    if (isFirst) await bootstrap();
    // With its records, pnpm would not restore a link that npm removed, and would refuse a part of the packages after a change
    // of the settings or of HOME. Without them, the next command repeats an interrupted installation.
    for (const file of [record, state]) rmSync(file, { force: true });
    const isPartial = scope === 'serving' && !existsSync(developmentPackages);
    const filters = isPartial ? servingPackages : [];
    const title = `Installing packages${isFirst ? ', which can take some minutes the first time' : ''}`;
    await step(title, 'pnpm', [...filters, 'install', '--frozen-lockfile']);
  } catch (error) {
    const advice =
      'If the npm registry cannot be reached, connect to the network (for a proxy: `npm config set proxy`).';
    throw error instanceof StepFailed ? new StepFailed(`${error.message}\n${advice}`) : error;
  }
  // For `npx turbo` and `npx pnpm`.
  const link = fromRoot('node_modules/.bin/pnpm');
  rmSync(link, { force: true });
  symlinkSync('../../scripts/bootstrap/node_modules/.bin/pnpm', link);
}

/**
 * Whether pnpm is installed for this platform: another one may share the folder. npm writes `.package-lock.json` last, so an
 * interrupted `npm ci` does not count.
 */
function isBootstrapped() {
  const [installed, locked] = ['node_modules/.package-lock.json', 'package-lock.json'].map(readVersion);
  return installed !== undefined && installed === locked;
}

function readVersion(file) {
  if (!existsSync(join(folder, file))) return undefined;
  const { packages } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const program = `node_modules/@pnpm/exe.${process.platform}-${process.arch}`;
  return packages[Object.keys(packages).find((path) => path.startsWith(program))]?.version;
}

function bootstrap() {
  // The retries are those of pnpm-workspace.yaml.
  const retries = ['--fetch-retries=4', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
  const options = ['--no-audit', '--no-fund', '--ignore-scripts=false', '--loglevel=error', ...retries];
  return step('Installing pnpm', 'npm', ['ci', '--prefix', folder, ...options]);
}
