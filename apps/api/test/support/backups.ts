import { readFile, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';

/** The text of a backup. */
export async function textOf(backup: string): Promise<string> {
  return gunzipSync(await readFile(backup)).toString();
}

/** Returns the text of a changed backup, or all bytes of its file. */
export type Change = (text: string, file: Buffer) => string | Buffer;

/** Writes a changed copy of a backup beside it, and returns its path. */
export async function changedCopy(backup: string, change: Change): Promise<string> {
  const path = backup.replace(/[^/]*$/, 'changed.backup.gz');
  const changed = change(await textOf(backup), await readFile(backup));
  await writeFile(path, typeof changed === 'string' ? gzipSync(changed) : changed);
  return path;
}

/** Changes one byte of a file. A negative position counts from the end. */
export function flipped(file: Buffer, position: number): Buffer {
  const index = position < 0 ? file.length + position : position;
  file[index] = (file[index] ?? 0) ^ 1;
  return file;
}
