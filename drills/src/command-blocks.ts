import { readFile } from 'node:fs/promises';

const shellBlock = /^( *)```sh\n(?<commands>.*?)^\1```$/gms;

/** The first line of a block that the drill `image` runs. */
export const testedByImage = '# tested by npm run drill -- image';

/** Returns the shell commands of a page, block by block. */
export async function readCommandBlocks(page: string): Promise<string[]> {
  const text = await readFile(page, 'utf8');
  return [...text.matchAll(shellBlock)].map(({ groups }) => groups?.['commands'] ?? '');
}
