import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Project } from './support/project.js';

const program = `
import { type NewPet, type Pet, type PetPage, PetstoreClient, type PetStatus } from '@petstore/client';

declare const settings: { apiKey: string; baseUrl: string };
declare const status: PetStatus | undefined;
const client: PetstoreClient = new PetstoreClient(settings);
const rex: NewPet = { name: 'Rex', categoryId: 7n };
export const created: Promise<Pet> = client.createPet(rex);
void client.createPet({ ...rex, status });
void client.createPet({ name: 'Rex', categoryId: 7 });
// @ts-expect-error A category is no text.
void client.createPet({ name: 'Rex', categoryId: '7' });
export const page: Promise<PetPage> = (async () => client.listPets({ categoryId: [7, 8n] }))();
// @ts-expect-error There is no such filter.
void client.listPets({ state: 'sold' });
`;

let project: Project;
beforeAll(async () => {
  project = await Project.create();
});
afterAll(() => project.remove());

it('The package contains the build and the files that npm shows only', async () => {
  expect((await readdir(project.client)).toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist',
    'package.json',
  ]);
  // In the package, such a link leads nowhere.
  expect(await readFile(join(project.client, 'README.md'), 'utf8')).not.toContain('](../');
  const license = await readFile(join(project.client, 'LICENSE'), 'utf8');
  expect(license).toBe(await readFile(new URL('../../../LICENSE', import.meta.url), 'utf8'));
});

/** The examples of the README, for the service of the tests. */
async function readExamples(): Promise<string> {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
  expect(examples).toHaveLength(8);
  return examples.join('\n').replaceAll('http://localhost:3000', inject('serviceUrl'));
}

describe('a strict TypeScript project', () => {
  it.each([
    ['a bundler', { module: 'ESNext', moduleResolution: 'Bundler', exactOptionalPropertyTypes: true }],
    ['CommonJS', { module: 'CommonJS' }],
  ])('compiles for %s with the default libraries of ES2020', async (_, options) => {
    await project.write('program.ts', program);
    await project.compile(['program.ts'], { target: 'ES2020', types: [], ...options });
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
    expect(documented).toHaveLength(10);
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
