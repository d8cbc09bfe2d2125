import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packPackage } from '@petstore/processes/packed-package.js';
import { apiKey } from '@petstore/processes/service-process.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { drill } from './drill.js';
import { Service } from './servers/service.js';

const create = `const client = new PetstoreClient({ baseUrl: process.env.BASE_URL, apiKey: process.env.API_KEY });
client.createPet({ name: 'Rex', categoryId: 7n }).then(({ id }) => console.log(String(id)));`;

/** The files of an empty project, and two programs that create an animal. */
const projectFiles = {
  'package.json': '{ "name": "project", "version": "1.0.0", "private": true }',
  'require.cjs': `const { PetstoreClient } = require('@petstore/client');\n${create}`,
  'import.mjs': `import { PetstoreClient } from '@petstore/client';\n${create}`,
};

drill(
  'the packed client and command, installed outside the repository from the npm registry',
  { timeout: 300_000 },
  async ({ cleanup, tally }) => {
    const service = await Service.start(cleanup);
    const directory = await temporaryDirectory(cleanup);
    const tarball = await packPackage('client', join(directory, 'packed'));
    for (const [name, installation] of Object.entries(installations)) {
      const options = { tarball, project: join(directory, name.replaceAll(/\W/g, '-')), url: service.url };
      const id = await createWith(installation, options).catch(
        (error: Error) => void tally.wrong.push(`${name}: ${error.message}`),
      );
      if (id === undefined) continue;
      tally.acknowledged += 1;
      const pet = await service.client().getPet(BigInt(id));
      if (pet?.name !== 'Rex') tally.lost += 1;
    }
    await useCommand(join(directory, 'global'), service.url).catch(
      (error: Error) => void tally.wrong.push(`the command: ${error.message}`),
    );
    tally.note(`installed with ${Object.keys(installations).join(', ')}`);
  },
);

/** Installs the package in an empty project and creates an animal with it. Returns the id. */
async function createWith(
  { files = {}, install, run, loadsBy }: Installation,
  { tarball, project, url }: { tarball: string; project: string; url: string },
): Promise<string> {
  await mkdir(project);
  for (const [name, content] of Object.entries({ ...projectFiles, ...files })) {
    await writeFile(join(project, name), content);
  }
  const env = { ...process.env, BASE_URL: `${url}/v1`, API_KEY: apiKey };
  const execute = ([command = '', ...args]: readonly string[], last: string) =>
    promisify(execFile)(command, [...args, last], { cwd: project, env });
  await execute(install, tarball);
  return (await execute(run, loadsBy === 'import' ? 'import.mjs' : 'require.cjs')).stdout.trim();
}

/** Installs the packed command globally and lists with it. `npm outdated` fails if the registry has a newer package of its name. */
async function useCommand(directory: string, url: string): Promise<void> {
  const tarball = await packPackage('cli', join(directory, 'packed'));
  const env = { ...process.env, PETSTORE_URL: url, PETSTORE_API_KEY: apiKey, npm_config_prefix: directory };
  const execute = (command: string, args: readonly string[]) =>
    promisify(execFile)(command, args, { cwd: directory, env });
  await execute('npm', ['install', '--global', '--no-audit', '--no-fund', tarball]);
  const { stdout } = await execute(join(directory, 'bin/petstore'), ['list', '--limit', '1']);
  if (!stdout.includes('Rex')) throw new Error(`It lists ${stdout}`);
  await execute('npm', ['outdated', '--global']);
}

/** How a project installs the packed client, and runs a program that uses it. */
interface Installation {
  /** The configuration of the package manager. */
  files?: Record<string, string>;
  /** Arguments after it: the tarball. */
  install: readonly string[];
  /** Arguments after it: the program. */
  run: readonly string[];
  /** Default: `require`. */
  loadsBy?: 'import';
}

const npm = ['npm', 'install', '--no-audit', '--no-fund'];
const yarn = ['npx', '--yes', '--package', '@yarnpkg/cli-dist@4.18.1', 'yarn'];

function yarnWith(nodeLinker: string, run: readonly string[]): Installation {
  // An own lockfile makes the folder a project. In CI, Yarn would not write it by default.
  const files = { '.yarnrc.yml': `nodeLinker: ${nodeLinker}\nenableImmutableInstalls: false\n`, 'yarn.lock': '' };
  return { files, install: [...yarn, 'add'], run };
}

function onNode(version: string): Installation {
  return { install: [...npm, `node@${version}`], run: ['node_modules/node/bin/node'] };
}

const installations: Record<string, Installation> = {
  npm: { install: npm, run: ['node'] },
  pnpm: { install: ['pnpm', 'add'], run: ['node'] },
  'Yarn 1': { install: ['npx', '--yes', 'yarn@1.22.22', 'add'], run: ['node'] },
  'Yarn 4': yarnWith('node-modules', ['node']),
  // Plug'n'Play does not resolve the dependencies of an ES module that `require` loads.
  "Yarn 4 with Plug'n'Play": { ...yarnWith('pnp', [...yarn, 'node']), loadsBy: 'import' },
  'Node 22': onNode('22.22.0'),
  'Node 24': onNode('24.21.0'),
};
