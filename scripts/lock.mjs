import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromRoot } from './workspace.mjs';

const prefix = '.lock-';

/** Runs the work while no other process of this clone installs or builds. */
export async function withLock(work) {
  // Random, because a process can have the id of a killed one.
  const own = `${prefix}${process.pid}-${randomUUID()}`;
  for (let attempt = 0; !take(own); attempt += 1) {
    if (attempt === 10) process.stderr.write('Waiting for another command, which installs or builds.\n');
    // Two processes that look at the same moment see each other. They must not do so again.
    await sleep(100 + Math.random() * 200);
  }
  try {
    return await work();
  } finally {
    rmSync(pathOf(own), { force: true });
  }
}

/** Creates the file of this process before it looks for others, so two processes never both have the lock. */
function take(own) {
  writeFileSync(pathOf(own), '');
  const others = readdirSync(pathOf('.')).filter((name) => name.startsWith(prefix) && name !== own);
  const isAlone = !others.some(isHeld);
  if (!isAlone) rmSync(pathOf(own), { force: true });
  return isAlone;
}

/** Removes the file of a killed process. */
function isHeld(name) {
  try {
    return process.kill(Number.parseInt(name.slice(prefix.length), 10), 0);
  } catch (error) {
    if (error.code === 'EPERM') return true;
    rmSync(pathOf(name), { force: true });
    return false;
  }
}

function pathOf(name) {
  return fromRoot('scripts/pnpm', name);
}
