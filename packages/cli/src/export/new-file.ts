import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** Writes a temporary file and renames it, so that a failed export leaves no incomplete file. */
export async function writeNewFile(file: string, texts: AsyncIterable<string>): Promise<void> {
  const newFile = `${file}.part-${process.pid}`;
  try {
    await pipeline(texts, createWriteStream(newFile, { flush: true }));
    await rename(newFile, file);
  } catch (error) {
    await rm(newFile, { force: true });
    throw error;
  }
}
