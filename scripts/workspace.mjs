import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Filters of pnpm for the packages that run in production. */
export const shippedPackages = ['api', 'admin', 'client', 'table', 'import-export', 'embedded-postgres', 'migrate'].map(
  (name) => `--filter=@petstore/${name}`,
);

/** Returns the absolute path of a file of the repository. */
export function fromRoot(...names) {
  return join(root, ...names);
}

/** Returns the folders of the packages in pnpm-workspace.yaml, relative to the root. */
export function packageFolders() {
  const below = ['apps', 'packages'].flatMap((parent) =>
    readdirSync(fromRoot(parent)).map((name) => `${parent}/${name}`),
  );
  const folders = [...below, 'bench', 'drills', 'e2e', 'examples', 'scripts'];
  return folders.filter((folder) => existsSync(fromRoot(folder, 'package.json')));
}

/** The parsed package.json of a folder. */
export function readManifest(folder) {
  return JSON.parse(readFileSync(fromRoot(folder, 'package.json'), 'utf8'));
}
