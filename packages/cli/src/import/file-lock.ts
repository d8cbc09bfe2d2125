import { readFile, rm, writeFile } from 'node:fs/promises';
import { ExplainedError } from '@petstore/explained-error';

/**
 * Creates a lock file with the id of this process. Returns a function that removes it.
 * @throws ExplainedError if another process has the lock.
 */
export async function lock(path: string): Promise<() => Promise<void>> {
  if (!(await create(path))) {
    const owner = Number(await readFile(path, 'utf8').catch(() => ''));
    if (isAlive(owner)) {
      throw new ExplainedError(`Another import of this file is running (process ${owner}). If not, delete ${path}.`);
    }
    // A killed process leaves its lock.
    await rm(path, { force: true });
    if (!(await create(path))) throw new ExplainedError(`Another import of this file has just started (${path}).`);
  }
  return () => rm(path, { force: true });
}

async function create(path: string): Promise<boolean> {
  try {
    await writeFile(path, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
