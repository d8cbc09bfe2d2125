import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const packagesDirectory = fileURLToPath(new URL('../..', import.meta.url));

/** Installs the packed client in a project without the network: its dependencies are those of the repository. */
export async function installClient(project: string): Promise<void> {
  const [packed, client] = [join(project, 'packed'), join(project, 'node_modules/@petstore/client')];
  await mkdir(packed);
  await mkdir(client, { recursive: true });
  await run('npm', ['pack', '--pack-destination', packed], { cwd: join(packagesDirectory, 'client') });
  const [tarball = ''] = await readdir(packed);
  await run('tar', ['-xzf', join(packed, tarball), '-C', client, '--strip-components=1']);
  await symlink(join(packagesDirectory, 'client/node_modules/ky'), join(project, 'node_modules/ky'));
}
