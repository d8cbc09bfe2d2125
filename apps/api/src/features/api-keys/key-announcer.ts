import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ExplainedError } from '@petstore/contracts';

interface Announcement {
  dataDir: string;
  isTerminal: boolean;
  print: (line: string) => void;
}

/**
 * Shows a new key once: at the terminal, else in a file that only its owner can read, because the output of systemd and
 * containers goes into a log.
 */
export async function announceKey(key: string, { dataDir, isTerminal, print }: Announcement): Promise<void> {
  if (isTerminal) {
    // Not as a log line: the logger hides keys.
    console.log(`Your API key, shown this once: ${key}`);
    return;
  }
  const path = resolve(join(dataDir, 'first-key'));
  await writeNewFile(path, `${key}\n`).catch((cause: Error) => {
    throw new ExplainedError(
      `Cannot write the first API key to ${path}: ${cause.message}. No key was created. ` +
        'Remove what is at this path, or fix the cause, then restart.',
      { cause },
    );
  });
  print(`The first API key is in ${path}. Store it in a safe place and delete the file.`);
}

/** Removes an old file first, because an existing one would keep its mode. `wx` follows no symbolic link. */
async function writeNewFile(path: string, text: string): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, text, { flag: 'wx', mode: 0o600, flush: true });
}
