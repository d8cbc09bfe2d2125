import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { Project } from './support/project.js';

let project: Project;
beforeAll(async () => {
  project = await Project.create();
});
afterAll(() => project.remove());

it('has seven examples that compile strictly and print what their comments state', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
  expect(examples).toHaveLength(7);
  const code = examples.join('\n').replaceAll('http://localhost:3000', inject('serviceUrl'));
  await project.write('package.json', { type: 'module' });
  await project.write('readme.ts', code);
  await project.compile({ module: 'NodeNext', moduleResolution: 'NodeNext', types: ['node'] });
  const documented = [...code.matchAll(/\); \/\/ (.*)/g)].map(([, line]) => line);
  expect(documented).toHaveLength(8);
  expect(await project.run('built/readme.js', { PETSTORE_API_KEY: inject('apiKey') })).toEqual(documented);
}, 60_000);
