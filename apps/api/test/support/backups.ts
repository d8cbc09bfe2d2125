import { createHash } from 'node:crypto';
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

/** Gives the text of a backup the right checksum. */
export function sealed(text: string): string {
  const content = text.slice(0, -64);
  return content + createHash('sha256').update(content).digest('hex');
}
