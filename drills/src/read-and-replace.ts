import { readFile } from 'node:fs/promises';

/**
 * Returns the text of a file with other values.
 * @throws Error if the file does not contain one of them.
 */
export async function readAndReplace(file: string, replacements: Record<string, string>): Promise<string> {
  const text = await readFile(file, 'utf8');
  return Object.entries(replacements).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`${file} does not contain "${from}".`);
    return result.replaceAll(from, to);
  }, text);
}
