import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

interface Announcement {
  dataDir: string;
  isTerminal: boolean;
  say: (line: string) => void;
}

/**
 * Tells a new key once: to the person at the terminal, else in a file that only its owner can read, since what
 * systemd and containers are told goes into a log.
 */
export async function announceKey(key: string, { dataDir, isTerminal, say }: Announcement): Promise<void> {
  if (isTerminal) {
    say(`Your API key, shown this once: ${key}`);
    return;
  }
  const path = resolve(join(dataDir, 'first-key'));
  await writeFile(path, `${key}\n`, { mode: 0o600, flush: true });
  say(`The first API key is in ${path}; keep it somewhere safe and delete the file.`);
}
