import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packPackage } from '@petstore/processes/packed-package.js';
import { apiKey } from '@petstore/processes/service-process.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { type Installation, installations } from './client-package/installations.js';
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
  'the packed client, installed in new projects from the npm registry',
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
