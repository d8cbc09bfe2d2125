import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { apiKey } from '@petstore/processes/service-process.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { drill } from './drill.js';
import { Service } from './servers/service.js';

/** A generator of TypeScript clients, and a program that uses its client. */
interface Generator {
  /** Pinned packages: the generator and what its client imports. */
  packages: readonly string[];
  /** Generates from `openapi.json` into the given directory. */
  command: (directory: string) => readonly string[];
  /** Sets `created`, `listed` and `got` to animals. */
  program: string;
}

/** What all programs share. */
const start = `const baseUrl = process.env['BASE_URL']!;
const key = process.env['API_KEY']!;
const headers = { authorization: \`Bearer \${key}\` };
const newPet = { name: 'Rex', categoryId: 7 };
`;

const end = `
if (!listed?.some(({ id }) => id === created?.id)) throw new Error('The list lacks the new animal.');
if (got?.name !== newPet.name) throw new Error('The animal has another name.');
console.log(String(created?.id));
`;

const generators: Record<string, Generator> = {
  'openapi-typescript': {
    packages: ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0'],
    command: (directory) => ['openapi-typescript', 'openapi.json', '-o', `${directory}/schema.ts`],
    program: `
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';
/* start */
const client = createClient<paths>({ baseUrl, headers });
const { data: created } = await client.POST('/pets', { body: newPet });
const { data: listed } = await client.GET('/pets', { params: { query: { limit: 10, order: 'desc' } } });
const { data: got } = await client.GET('/pets/{petId}', { params: { path: { petId: created!.id } } });`,
  },
  'hey-api': {
    packages: ['@hey-api/openapi-ts@0.95.0'],
    command: (directory) => ['openapi-ts', '-i', 'openapi.json', '-o', directory],
    program: `
import { client } from './client.gen.js';
import { createPet, getPet, listPets } from './sdk.gen.js';
/* start */
client.setConfig({ baseUrl, headers });
const { data: created } = await createPet({ body: newPet, throwOnError: true });
const { data: listed } = await listPets({ query: { limit: 10, order: 'desc' }, throwOnError: true });
const { data: got } = await getPet({ path: { petId: created.id }, throwOnError: true });`,
  },
};

const files: Record<string, object> = {
  'package.json': { name: 'clients', private: true, type: 'module' },
  'tsconfig.json': {
    compilerOptions: {
      target: 'ES2022',
      module: 'NodeNext',
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      types: ['node'],
      strict: true,
      skipLibCheck: true,
      outDir: 'dist',
    },
    include: ['src'],
  },
};

const packages = [
  'typescript@5.9.3',
  '@types/node@20.19.0',
  ...Object.values(generators).flatMap((generator) => generator.packages),
];

drill(
  'the OpenAPI document in two client generators from the npm registry',
  { timeout: 600_000 },
  async ({ cleanup, tally }) => {
    const service = await Service.start(cleanup);
    const directory = await temporaryDirectory(cleanup);
    const env = { ...process.env, BASE_URL: `${service.url}/v1`, API_KEY: apiKey };
    const run = (program: string, args: readonly string[]) =>
      promisify(execFile)(program, args, { cwd: directory, env });
    const runInstalled = ([program = '', ...args]: readonly string[]) =>
      run(join(directory, 'node_modules/.bin', program), args);
    await writeFile(join(directory, 'openapi.json'), await (await service.fetch('/openapi.json')).text());
    for (const [name, content] of Object.entries(files))
      await writeFile(join(directory, name), JSON.stringify(content));
    await run('npm', ['install', '--no-audit', '--no-fund', '--save-exact', ...packages]);
    for (const [name, generator] of Object.entries(generators)) {
      await mkdir(join(directory, 'src', name), { recursive: true });
      await runInstalled(generator.command(`src/${name}`));
      const program = `${generator.program.trimStart().replace('/* start */', start)}${end}`;
      await writeFile(join(directory, 'src', name, 'program.ts'), program);
    }
    await runInstalled(['tsc']).catch((error: Error) => tally.wrong.push(`typescript: ${describe(error)}`));
    for (const name of Object.keys(generators)) {
      await run(process.execPath, [`dist/${name}/program.js`]).then(
        () => (tally.acknowledged += 1),
        (error: Error) => tally.wrong.push(`${name}: ${describe(error)}`),
      );
    }
    tally.note(`clients of ${Object.keys(generators).join(', ')}`);
  },
);

/** The compiler prints its findings on standard output. */
function describe(error: Error & { stdout?: string }): string {
  return `${error.message}\n${error.stdout ?? ''}`;
}
