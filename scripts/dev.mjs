import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { build, findTurbo, quietly } from './turbo.mjs';
import { fromRoot } from './workspace.mjs';

/** Serves, builds what changes, and restarts the service after each build. Ends, with all it started, at Ctrl-C. */
export async function dev() {
  await build();
  const service = ['--watch', '--watch-preserve-output', fromRoot('apps/api/dist/main.js')];
  const children = [start(findTurbo(), ['watch', 'build', ...quietly]), start(process.execPath, service)];
  const stop = (signal) => {
    for (const child of children) child.kill(signal);
  };
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, stop);
  // One without the other is of no use.
  await Promise.race(children.map((child) => once(child, 'exit')));
  stop('SIGTERM');
}

function start(command, args) {
  return spawn(command, args, { cwd: fromRoot(), stdio: 'inherit' });
}
