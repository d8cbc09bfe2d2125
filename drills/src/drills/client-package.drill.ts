import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packPackage } from '@petstore/processes/packed-package.js';
import { apiKey } from '@petstore/processes/service-process.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import type { Drill, DrillContext } from '../drill.js';
import { Service } from '../servers/service.js';
import type { Tally } from '../tally.js';

const run = promisify(execFile);

/** How each package manager installs a file. */
const installers: Record<string, string[]> = {
  npm: ['npm', 'install', '--no-audit', '--no-fund'],
  pnpm: ['pnpm', 'add'],
  yarn: ['npx', '--yes', 'yarn@1.22.22', 'add'],
};

const program = `const { PetstoreClient } = require('@petstore/client');
const client = new PetstoreClient({ baseUrl: process.env.BASE_URL, apiKey: process.env.API_KEY });
client.createPet({ name: 'Rex', categoryId: 7n }).then(({ id }) => console.log(String(id)));`;

export const clientPackage: Drill = {
  name: 'client-package',
  about: 'the packed client, installed in new projects from the npm registry',
  limitSeconds: 180,
  async run({ cleanup }: DrillContext, tally: Tally): Promise<void> {
    const service = await Service.start(cleanup);
    const directory = await temporaryDirectory(cleanup);
    const tarball = await packPackage('client', join(directory, 'packed'));
    for (const [manager, installer] of Object.entries(installers)) {
      const id = await createWith(installer, { tarball, project: join(directory, manager), url: service.url }).catch(
        (error: Error) => void tally.wrong.push(`${manager}: ${error.message}`),
      );
      if (id === undefined) continue;
      tally.acknowledged += 1;
      const pet = await service.client().getPet(BigInt(id));
      if (pet?.name !== 'Rex') tally.lost += 1;
    }
    tally.note(`installed with ${Object.keys(installers).join(', ')}`);
  },
};

/** Installs the package in an empty project and creates an animal with it. Returns the id. */
async function createWith(
  [installer = '', ...args]: string[],
  { tarball, project, url }: { tarball: string; project: string; url: string },
): Promise<string> {
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{ "name": "project", "version": "1.0.0", "private": true }');
  await run(installer, [...args, tarball], { cwd: project });
  await writeFile(join(project, 'program.cjs'), program);
  const env = { ...process.env, BASE_URL: `${url}/v1`, API_KEY: apiKey };
  const { stdout } = await run(process.execPath, ['program.cjs'], { cwd: project, env });
  return stdout.trim();
}
