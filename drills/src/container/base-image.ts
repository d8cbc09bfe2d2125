import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, realpath, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import type { Buildah } from './buildah.js';

const run = promisify(execFile);
const certificates = '/etc/ssl/certs/ca-certificates.crt';
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Creates what a registry would provide: an image of Debian with the Node and the npm of this machine. Returns the
 * directory with its files.
 */
export async function createBaseImage(buildah: Buildah, name: string, cleanup: Cleanup): Promise<string> {
  const root = await temporaryDirectory(cleanup);
  await run('debootstrap', ['--variant=minbase', 'bookworm', root]);
  await rm(join(root, 'var/cache/apt/archives'), { recursive: true });
  await installNode(join(root, 'usr/local'));
  await mkdir(join(root, dirname(certificates)), { recursive: true });
  await copyFile(certificates, join(root, certificates));
  await buildah.imageOf(root, name, { PATH: path, NODE_EXTRA_CA_CERTS: certificates });
  return root;
}

async function installNode(prefix: string): Promise<void> {
  const { stdout } = await run('npm', ['root', '--global']);
  const modules = join(prefix, 'lib/node_modules');
  await mkdir(modules, { recursive: true });
  await cp(await realpath(join(stdout.trim(), 'npm')), join(modules, 'npm'), { recursive: true });
  await copyFile(process.execPath, join(prefix, 'bin/node'));
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(prefix, 'bin/npm'));
}
