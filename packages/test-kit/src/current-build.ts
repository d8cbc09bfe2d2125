import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

type SourceMap = Record<'sources' | 'sourcesContent', string[]>;

/**
 * Compares the files of a build with the sources in its source maps.
 * @throws Error that says to build, and names the first source that has changed.
 */
export async function checkBuild(directory: string): Promise<void> {
  const files = await readdir(directory).catch(() => []);
  const maps = files.filter((file) => file.endsWith('.js.map'));
  if (maps.length === 0) throw new Error('The service is not built. Run `npm run build`.');
  for (const map of maps) {
    const { sources, sourcesContent } = JSON.parse(await readFile(join(directory, map), 'utf8')) as SourceMap;
    for (const [index, source] of sources.entries()) {
      if (/\/(node_modules|generated)\//.test(source)) continue;
      const file = resolve(directory, source);
      if ((await readFile(file, 'utf8').catch(() => '')) === sourcesContent[index]) continue;
      throw new Error(`${file} has changed since the build. Run \`npm run build\`.`);
    }
  }
}
