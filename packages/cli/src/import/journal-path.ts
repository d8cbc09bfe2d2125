import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The journal of a file is next to it. That of standard input is named after the content. */
export async function defaultJournalPath(file: string, contentHash: string): Promise<string> {
  if (file !== '-') return `${file}.journal`;
  const stateFolder = process.env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state');
  const folder = join(stateFolder, 'petstore');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(folder, `import-${contentHash.slice(0, 32)}.journal`);
}
