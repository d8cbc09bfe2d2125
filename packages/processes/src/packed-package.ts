import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
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
