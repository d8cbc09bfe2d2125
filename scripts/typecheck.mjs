import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { execute } from './step.mjs';
import { fromRoot, packageFolders } from './workspace.mjs';

/** Checks the types of every package from the root, so that errors name files from there. Needs no build. */
export async function typecheck() {
  const folders = ['.', ...packageFolders()].filter((folder) => existsSync(fromRoot(folder, 'tsconfig.json')));
  const outputs = new Set();
  const checkNext = async () => {
    for (let folder = folders.shift(); folder; folder = folders.shift()) outputs.add(await findErrors(folder));
  };
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, checkNext));
  // An error in a package is also found by the packages that use it.
  const errors = new Set([...outputs].flatMap((output) => output.split(/\n(?!\s)/)).filter(Boolean));
  for (const error of errors) console.error(error);
  if (errors.size > 0) process.exitCode = 1;
}

async function findErrors(folder) {
  const { code, output } = await execute(fromRoot('scripts/node_modules/.bin/tsc'), ['--noEmit', '--project', folder]);
  if (code === 0) return '';
  return output.trim() || `tsc failed in ${folder}.`;
}

if (process.argv[1] === import.meta.filename) await typecheck();
