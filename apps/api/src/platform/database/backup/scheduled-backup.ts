import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { explain } from './backup-format.js';

const fileName = /^petstore-\d{8}T\d{9}Z\.backup\.gz$/;

/** A path for a new backup in a directory, which is created if needed. The names sort by time, in ms. */
export async function datedPath(directory: string, now: Date): Promise<string> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw explain(`The creation of ${directory}`, error);
  }
  const time = now.toISOString().replaceAll(/[-:.]/g, '');
  return join(directory, `petstore-${time}.backup.gz`);
}

/** Deletes all but the newest `keep` backups of a directory, and no other file. Returns the deleted names. */
export async function deleteOldBackups(directory: string, keep: number): Promise<string[]> {
  const names = (await readdir(directory)).filter((name) => fileName.test(name)).toSorted();
  const old = names.slice(0, Math.max(0, names.length - keep));
  for (const name of old) await rm(join(directory, name), { force: true });
  return old;
}
