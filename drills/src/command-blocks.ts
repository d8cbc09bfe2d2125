import { readFile } from 'node:fs/promises';

const shellBlock = /^( *)```sh\n(?<commands>.*?)^\1```$/gms;

/** The first line of a block that the drill `image` runs. */
export const testedByImage = '# tested by npm run drill -- image';

/** The first line of a block that does not run in a clone of the repository. */
const exception = /^# (?:not tested|tested by)\b/;

/** Returns the shell commands of a page, block by block. */
export async function readCommandBlocks(page: string): Promise<string[]> {
  const text = await readFile(page, 'utf8');
  return [...text.matchAll(shellBlock)].map(({ groups }) => groups?.['commands'] ?? '');
}

export function runsInClone(block: string): boolean {
  return !exception.test(block);
}
