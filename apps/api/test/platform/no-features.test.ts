import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const platform = join(import.meta.dirname, '../../src/platform');

it('the platform does not mention the subjects of the features', () => {
  const files = readdirSync(platform, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('generated'))
    .map((path) => ({ path, text: readFileSync(join(platform, path), 'utf8').replaceAll(/petstore/gi, '') }));
  expect(files.length).toBeGreaterThan(40);
  expect(files.filter(({ text }) => /(?<![a-z])pet|Pet|[Aa]nimal/.test(text)).map(({ path }) => path)).toEqual([]);
});
