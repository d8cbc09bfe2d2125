import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const source = fileURLToPath(new URL('../../client', import.meta.url));

/**
 * Packs the client as for a release, and installs it in a project without the network: it uses the dependencies of the
 * repository.
 */
export async function installClient(project: string): Promise<void> {
  const [packed, installed] = [join(project, 'packed'), join(project, 'node_modules/@petstore/client')];
  for (const directory of [packed, installed]) await mkdir(directory, { recursive: true });
  await run('npm', ['pack', '--pack-destination', packed], { cwd: source });
  const [tarball = ''] = await readdir(packed);
  await run('tar', ['-xzf', join(packed, tarball), '-C', installed, '--strip-components=1']);
  for (const name of ['ky', 'lossless-json']) {
    await symlink(join(source, 'node_modules', name), join(project, 'node_modules', name));
  }
}
