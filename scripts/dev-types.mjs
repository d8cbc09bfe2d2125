import { execFile } from 'node:child_process';
import { watch } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { promisify } from 'node:util';
import { fromRoot, packageFolders } from './workspace.mjs';

const projects = ['apps/api', 'apps/admin'];

/** Checks the types of the API and the admin after each change of a source. `tsc --watch` needs 1.2 GB of memory. */
export function watchTypes() {
  let timer;
  let running = Promise.resolve();
  const schedule = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(checkTypes);
    }, 1500);
  };
  const folders = packageFolders().filter((folder) => /^(apps|packages)\//.test(folder));
  const watchers = folders.map((folder) => watch(fromRoot(folder, 'src'), { recursive: true }, schedule));
  schedule();
  return {
    close: () => {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

async function checkTypes() {
  for (const project of projects) {
    const args = ['--noEmit', '--project', project];
    const tsc = promisify(execFile)(fromRoot('node_modules/.bin/tsc'), args, { cwd: fromRoot() });
    // Otherwise the check would delay the restart of the API.
    setPriority(tsc.child.pid, constants.priority.PRIORITY_LOW);
    const { stdout } = await tsc.catch((error) => error);
    console.log(stdout ? stdout.trim() : `No type errors in ${project}.`);
  }
}
