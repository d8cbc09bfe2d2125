import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The packages that run in production. */
export const shippedPackages = [
  '@petstore/api',
  '@petstore/admin',
  '@petstore/client',
  '@petstore/import-export',
  '@petstore/embedded-postgres',
  '@petstore/migrate',
];

/** Returns the absolute path of a file of the repository. */
export function fromRoot(...names) {
  return join(root, ...names);
}

/** Returns the folders of the packages, relative to the root. The patterns of pnpm-workspace.yaml are `name` or `name/*`. */
export function packageFolders() {
  const list = /^packages:\n((?: +- .+\n)+)/m.exec(readFileSync(fromRoot('pnpm-workspace.yaml'), 'utf8'))[1];
  const patterns = list.match(/[\w./*-]*\w[\w./*-]*/g);
  return patterns.flatMap(expand).filter((folder) => existsSync(fromRoot(folder, 'package.json')));
}

function expand(pattern) {
  const parent = pattern.replace(/\/\*$/, '');
  if (parent === pattern || !existsSync(fromRoot(parent))) return [pattern];
  return readdirSync(fromRoot(parent)).map((name) => `${parent}/${name}`);
}

/** The parsed package.json of a folder. */
export function readManifest(folder) {
  return JSON.parse(readFileSync(fromRoot(folder, 'package.json'), 'utf8'));
}

/** Imports a dependency of a package. */
export function importFrom(folder, name) {
  const path = createRequire(fromRoot(folder, 'package.json')).resolve(name);
  return import(pathToFileURL(path).href);
}
