import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The journal of standard input and pipes is named after the content, because they have no name to find it by. */
export async function journalPathOfContent(contentHash: string): Promise<string> {
  const stateFolder = process.env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state');
  const folder = join(stateFolder, 'petstore');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(folder, `import-${contentHash.slice(0, 32)}.journal`);
}
