import { rmSync } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

type Content = AsyncIterable<Buffer | string>;

/**
 * Writes a compressed file that only its owner can read. The file appears when it is complete and on disk: an interrupted
 * write leaves the previous file. Returns its size in bytes.
 */
export async function writeCompressedFile(path: string, content: Content): Promise<number> {
  const temporary = `${path}.${process.pid}.tmp`;
  const remove = () => rmSync(temporary, { force: true });
  // A signal can end the process while the file is written.
  process.once('exit', remove);
  try {
    const file = await open(temporary, 'wx', 0o600);
    await pipeline(content, createGzip(), file.createWriteStream({ flush: true }));
    await rename(temporary, path);
    await syncDirectory(dirname(path));
    return (await stat(path)).size;
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** Without this, a power cut could undo the rename. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
