import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { step, StepFailed } from './step.mjs';
import { build } from './turbo.mjs';
import { fromRoot, packageFolders, readManifest, shippedPackages } from './workspace.mjs';

/** What the service reads at run time, at the same paths as in the repository. */
const files = ['apps/api/package.json', 'apps/api/dist', 'apps/admin/dist', 'prisma/migrations'];

/** For the person who installs the service. */
const documents = ['LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'deploy', 'docs', 'examples'];
const notCopied = new Set(['.turbo', 'node_modules', 'reports']);

/** Arguments of pnpm that print the CycloneDX bill of materials of what runs in production. */
const sbom = [...shippedPackages, 'sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--prod'];

/** Builds the service and copies it into a new directory, where it runs with Node alone. */
export async function createPackage(args) {
  const target = newDirectory('package', args);
  await build('@petstore/api', '@petstore/admin');
  copyService(target);
  console.log(`The service is in ${target}. Start it with: node ${join(target, 'apps/api/dist/main.js')}`);
}

/** Returns the path of the only argument. */
function newDirectory(command, [directory, ...rest]) {
  if (!directory || rest.length > 0)
    throw new StepFailed(`Give the path of one new directory: npm run ${command} -- DIRECTORY`);
  const target = resolve(directory);
  if (fs.existsSync(target)) throw new StepFailed(`${target} already exists. Give the path of a new directory.`);
  return target;
}

/** Copies the built service. The build bundles all dependencies except the binaries of PostgreSQL. */
export function copyService(target) {
  const readmes = packageFolders().map((folder) => `${folder}/README.md`);
  const present = readmes.filter((file) => fs.existsSync(fromRoot(file)));
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
    if (fs.existsSync(installed)) copy(fs.realpathSync(installed), join(target, dependency));
  }
}

/** Keeps symbolic links relative: those of PostgreSQL's libraries would lead back to the repository. */
function copy(from, to) {
  const filter = (path) => path === from || !notCopied.has(basename(path));
  fs.cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter });
}

/** Builds what a release publishes into a new directory. SHA256SUMS has the hashes of all files. */
export async function createArtifacts(args) {
  const target = newDirectory('artifacts', args);
  await build();
  fs.mkdirSync(target, { recursive: true });
  const name = `petstore-${readManifest('.').version}`;
  await archiveService(target, name);
  for (const folder of ['packages/client', 'packages/cli']) {
    const options = ['--pack-destination', target, '--loglevel=error'];
    await step(`Packing ${folder}`, 'npm', ['pack', fromRoot(folder), ...options]);
  }
  await step('Listing the dependencies', 'pnpm', [...sbom, '--out', join(target, `${name}.cdx.json`)]);
  const created = fs.readdirSync(target).toSorted();
  const sums = created.map((file) => `${hash(join(target, file))}  ${file}\n`);
  fs.writeFileSync(join(target, 'SHA256SUMS'), sums.join(''));
  console.log(`${target} has ${[...created, 'SHA256SUMS'].join(', ')}.`);
}

async function archiveService(target, name) {
  const folder = fs.mkdtempSync(join(tmpdir(), 'petstore-artifacts-'));
  try {
    copyService(join(folder, name));
    await step('Packing the service', 'tar', ['-czf', join(target, `${name}.tar.gz`), '-C', folder, name]);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

function hash(file) {
  return createHash('sha256').update(fs.readFileSync(file)).digest('hex');
}
