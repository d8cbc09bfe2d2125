import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
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

describe('the package', () => {
  it('contains the build, README, LICENSE and package.json only', async () => {
    expect((await readdir(project.client)).toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    // In the package, such a link leads nowhere.
    expect(await readFile(join(project.client, 'README.md'), 'utf8')).not.toContain('](../');
    const license = await readFile(join(project.client, 'LICENSE'), 'utf8');
    expect(license).toBe(await readFile(new URL('../../../LICENSE', import.meta.url), 'utf8'));
  });

  it('depends on published packages only', async () => {
    const read = (name: string) => readFile(join(project.client, name), 'utf8');
    const { dependencies, peerDependencies } = JSON.parse(await read('package.json')) as Record<string, unknown>;
    expect(dependencies).toEqual({ ky: expect.stringMatching(/^\d/) as string });
    expect(peerDependencies).toBe(undefined);
    const built = await readdir(join(project.client, 'dist'));
    for (const name of built.filter((file) => /\.(d\.ts|js)$/.test(file))) {
      expect([name, await read(`dist/${name}`)]).not.toEqual([name, expect.stringMatching(/from '@petstore/)]);
    }
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
  it.each([
    ['ES2022', { lib: ['ES2022', 'DOM'], exactOptionalPropertyTypes: true }],
    ['ES2020', {}],
  ])('compiles for a bundler and %s', async (target, options) => {
    await project.write('program.mts', program);
    await project.compile(['program.mts'], {
      ...options,
      target,
      module: 'ESNext',
      moduleResolution: 'Bundler',
      types: [],
    });
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

describe('a program', () => {
  const use = `
    const client = new PetstoreClient({ baseUrl: '${inject('serviceUrl')}/v1', apiKey: '${inject('apiKey')}' });
    client.createPet({ name: 'Rex', categoryId: 7n }).then((pet) => console.log(pet.name, pet.categoryId));`;

  it.each([
    ['import.mjs', `import { PetstoreClient } from '@petstore/client';${use}`],
    ['require.cjs', `const { PetstoreClient } = require('@petstore/client');${use}`],
  ])('uses the package: %s', async (name, code) => {
    await project.write(name, code);
    expect(await project.run(name)).toEqual(['Rex 7n']);
  });
});
