import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, inject, it } from 'vitest';

const packageFolder = new URL('../', import.meta.url);
// Inside the package, so that its name resolves to the build.
const program = new URL('reports/readme.mjs', packageFolder);
afterAll(() => rm(program, { force: true }));

it('has five working examples with the documented output', async () => {
  const readme = await readFile(new URL('README.md', packageFolder), 'utf8');
  const examples = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code);
  expect(examples).toHaveLength(5);
  const code = examples.join('\n').replace('http://localhost:3000', inject('serviceUrl'));
  await mkdir(new URL('.', program), { recursive: true });
  await writeFile(program, code);

  const env = { PETSTORE_API_KEY: inject('apiKey') };
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(program)], { env, timeout: 15_000 });
  const documented = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, line]) => line);
  expect(documented).toHaveLength(6);
  expect(stdout.trimEnd().split('\n')).toEqual(documented);
});
