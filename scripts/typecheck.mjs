import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { execute } from './step.mjs';
import { fromRoot, packageFolders } from './workspace.mjs';

/** Checks the types of every package from the root, so that errors name files from there. Needs no build. */
export async function typecheck() {
  const folders = ['.', ...packageFolders()].filter((folder) => existsSync(fromRoot(folder, 'tsconfig.json')));
  const checkNext = async () => {
    for (let folder = folders.shift(); folder; folder = folders.shift()) await checkFolder(folder);
  };
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, checkNext));
}

async function checkFolder(folder) {
  const { code, output } = await execute(fromRoot('node_modules/.bin/tsc'), ['--noEmit', '--project', folder]);
  if (code === 0) return;
  console.error(output.trim());
  process.exitCode = 1;
}

if (process.argv[1] === import.meta.filename) await typecheck();
