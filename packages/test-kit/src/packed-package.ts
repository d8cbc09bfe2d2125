import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const packagesDirectory = fileURLToPath(new URL('../..', import.meta.url));

/** Packs a package of `packages/` as for a release into an empty directory. Returns the path of the tarball. */
export async function packPackage(name: string, directory: string, packer = 'npm'): Promise<string> {
  await mkdir(directory, { recursive: true });
  await run(packer, ['pack', '--pack-destination', directory], { cwd: join(packagesDirectory, name) });
  const [tarball = ''] = await readdir(directory);
  return join(directory, tarball);
}

/** Extracts a tarball of `packPackage`. */
export async function unpackPackage(tarball: string, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', directory, '--strip-components=1']);
}

/** Installs the packed client in a project without the network: its dependencies are those of the repository. */
export async function installClient(project: string): Promise<void> {
  const client = join(project, 'node_modules/@petstore/client');
  await unpackPackage(await packPackage('client', join(project, 'packed')), client);
  await symlink(join(packagesDirectory, 'client/node_modules/ky'), join(project, 'node_modules/ky'));
}
