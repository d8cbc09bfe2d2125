import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromRoot } from './workspace.mjs';

/** Contains the id of the process that installs or builds. */
const file = fromRoot('scripts/pnpm/.lock');

/** Runs the work while no other process of this clone installs or builds. */
export async function withLock(work) {
  for (let attempt = 0; !take(); attempt += 1) {
    if (attempt === 10) process.stderr.write('Waiting for another command, which installs or builds.\n');
    await sleep(200);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take() {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    // A process that was killed leaves its file.
    if (!isHeld()) rmSync(file, { force: true });
    return false;
  }
}

function isHeld() {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
