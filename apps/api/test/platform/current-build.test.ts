import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '@petstore/contracts';
import { checkBuild } from '@petstore/test-kit/current-build.js';
import { expect, it } from 'vitest';
import { createFolder } from '../support/folder.js';

it('a test loads packages from their sources, so that it needs no build', () => {
  expect(() => parseJson('{')).toThrow(
    expect.objectContaining({ stack: expect.stringContaining('/packages/contracts/src/') as string }),
  );
});

it('a test of a service that was built from other sources says to build', async () => {
  const folder = await createFolder();
  const dist = join(folder, 'dist');
  await expect(checkBuild(dist)).rejects.toThrow('The service is not built. Run `npm run build`.');
  await mkdir(dist);
  const map = {
    sources: ['../main.ts', '../node_modules/pg/index.js'],
    sourcesContent: ['start();', 'of a package'],
  };
  await writeFile(join(dist, 'main.js.map'), JSON.stringify(map));
  const source = join(folder, 'main.ts');
  await writeFile(source, 'start();');
  await checkBuild(dist);
  const changed = `${source} has changed since the build. Run \`npm run build\`.`;
  await writeFile(source, 'start(now);');
  await expect(checkBuild(dist)).rejects.toThrow(changed);
  await rm(source);
  await expect(checkBuild(dist)).rejects.toThrow(changed);
});
