import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packPackage, unpackPackage } from '@petstore/test-kit/packed-package.js';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Project } from './support/project.js';

const program = `
import { type NewPet, type Pet, PetstoreClient, type PetStatus } from '@petstore/client';

declare const settings: { apiKey: string; baseUrl: string };
declare const status: PetStatus | undefined;
const client: PetstoreClient = new PetstoreClient(settings);
const rex: NewPet = { name: 'Rex', categoryId: 7n };
export const created: Promise<Pet> = client.createPet(rex);
void client.createPet({ ...rex, status });
// @ts-expect-error A category is a bigint.
void client.createPet({ name: 'Rex', categoryId: 7 });
// @ts-expect-error There is no such filter.
void client.listPets({ state: 'sold' });
`;

let project: Project;
beforeAll(async () => {
  project = await Project.create();
});
afterAll(() => project.remove());

async function readManifest(directory: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as Record<string, unknown>;
}

async function readFiles(directory: string): Promise<Record<string, string>> {
  const names = await readdir(directory, { recursive: true });
  const files = names.filter((name) => /\.\w+$/.test(name) || name === 'LICENSE').toSorted();
  return Object.fromEntries(
    await Promise.all(files.map(async (name) => [name, await readFile(join(directory, name), 'utf8')] as const)),
  );
}

describe('the package', () => {
  it('contains the build, README, LICENSE and package.json only', async () => {
    expect((await readdir(project.client)).toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    // In the package, such a link leads nowhere.
    expect(await readFile(join(project.client, 'README.md'), 'utf8')).not.toContain('](../');
    const license = await readFile(join(project.client, 'LICENSE'), 'utf8');
    expect(license).toBe(await readFile(new URL('../../../LICENSE', import.meta.url), 'utf8'));
  });

  it('depends on published packages only', async () => {
    const { dependencies, peerDependencies } = await readManifest(project.client);
    expect(dependencies).toEqual({ ky: expect.stringMatching(/^\d/) as string });
    expect(peerDependencies).toBe(undefined);
    for (const [name, text] of Object.entries(await readFiles(join(project.client, 'dist')))) {
      if (/\.(d\.ts|js)$/.test(name))
        expect([name, text]).not.toEqual([name, expect.stringMatching(/from '@petstore/)]);
    }
  });

  // `npm test` and `npm run` put the repository's pnpm on the PATH.
  it('is the same when pnpm packs it, except for its scripts and the versions of development tools', async (context) => {
    const directory = join(project.directory, 'packed-by-pnpm');
    const pnpm = join(import.meta.dirname, '../../../scripts/pnpm/node_modules/.bin/pnpm');
    context.skip(!existsSync(pnpm), 'pnpm is not installed.');
    await unpackPackage(await packPackage('client', join(directory, 'packed'), pnpm), join(directory, 'client'));
    const { 'package.json': _, ...files } = await readFiles(join(directory, 'client'));
    const { 'package.json': __, ...expected } = await readFiles(project.client);
    expect(files).toEqual(expected);
    // pnpm also removes the script `prepack`.
    const withoutTools = { devDependencies: expect.anything() as object, scripts: expect.anything() as object };
    expect({ ...(await readManifest(join(directory, 'client'))), ...withoutTools }).toEqual({
      ...(await readManifest(project.client)),
      ...withoutTools,
    });
  });

  it('has a source map that contains its sources', async () => {
    const map = JSON.parse(await readFile(join(project.client, 'dist/index.js.map'), 'utf8')) as {
      sources: string[];
      sourcesContent: (string | null)[];
    };
    expect(map.sources).toContain('../src/petstore-client.ts');
    expect(map.sourcesContent).toHaveLength(map.sources.length);
    expect(map.sourcesContent.every(Boolean)).toBe(true);
  });
});

/** The examples of the README, for the service of the tests. */
async function readExamples(): Promise<string> {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
  expect(examples).toHaveLength(9);
  return examples.join('\n').replaceAll('http://localhost:3000', inject('serviceUrl'));
}

describe('a strict TypeScript project', () => {
  it('compiles with the types of the package for a bundler', async () => {
    await project.write('program.mts', program);
    const options = { module: 'ESNext', moduleResolution: 'Bundler', lib: ['ES2022', 'DOM'], types: [] };
    await project.compile(['program.mts'], { ...options, exactOptionalPropertyTypes: true });
  });

  it.each(['ES2020', 'ES2021'])('compiles for %s with its default libraries', async (target) => {
    await project.write('program.mts', program);
    await project.compile(['program.mts'], { target, module: 'ESNext', moduleResolution: 'Bundler', types: [] });
  });

  // One run of the compiler, because it checks the declarations of all libraries.
  it('compiles for Node as ES module and as CommonJS, and the examples of the README print what their comments state', async () => {
    const examples = await readExamples();
    await project.write('program.mts', program);
    await project.write('program.cts', program);
    await project.write('readme.mts', examples);
    const options = { module: 'NodeNext', moduleResolution: 'NodeNext', lib: ['ES2022'], types: ['node'] };
    await project.compile(['program.mts', 'program.cts', 'readme.mts'], options);
    const documented = [...examples.matchAll(/\); \/\/ (.*)/g)].map(([, line]) => line);
    expect(documented).toHaveLength(11);
    expect(await project.run('built/readme.mjs', { PETSTORE_API_KEY: inject('apiKey') })).toEqual(documented);
  });
});

it('A CommonJS program uses the package', async () => {
  const code = `
    const { PetstoreClient } = require('@petstore/client');
    const client = new PetstoreClient({ baseUrl: '${inject('serviceUrl')}/v1', apiKey: '${inject('apiKey')}' });
    client.createPet({ name: 'Rex', categoryId: 7n }).then((pet) => console.log(pet.name, pet.categoryId));`;
  await project.write('require.cjs', code);
  expect(await project.run('require.cjs')).toEqual(['Rex 7n']);
});
