import { readFile, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';

/** The text of a backup. */
export async function textOf(backup: string): Promise<string> {
  return gunzipSync(await readFile(backup)).toString();
}

/** Writes a copy of a backup with another text beside it, and returns its path. */
export async function changedCopy(backup: string, change: (text: string) => string): Promise<string> {
  const path = backup.replace(/[^/]*$/, 'changed.backup.gz');
  await writeFile(path, gzipSync(change(await textOf(backup))));
  return path;
}
