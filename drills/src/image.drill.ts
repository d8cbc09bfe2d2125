import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Cleanup } from '@petstore/test-kit/cleanup.js';
import { temporaryDirectory } from '@petstore/test-kit/temporary-directory.js';
import { expect } from 'vitest';
import { Buildah } from './buildah.js';
import { Container, execute, type Runtime } from './container.js';
import { clientOf, drill, requirePrograms } from './drill.js';
import { checkUnits } from './systemd-units.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const [base, image] = ['localhost/petstore-base', 'localhost/petstore'];
const imageUser = 10_001;
const BOOTSTRAP_API_KEY = 'a-key-for-the-drill-of-the-image';

drill(
  'the container image, with a read-only root, and the systemd units on a clean Debian',
  { timeout: 900_000 },
  async ({ cleanup, skip }) => {
    requirePrograms(skip, ['buildah', 'debootstrap', 'bwrap'], true);
    const buildah = await Buildah.create(cleanup);
    const server = await buildah.createBaseImage(base, cleanup);
    const options = ['--isolation', 'chroot', '--network', 'host', '--format', 'docker'];
    await buildah.run('bud', ...options, '--build-arg', `NODE_IMAGE=${base}`, '--tag', image, repository);
    const container = await buildah.run('from', image);
    await startTwice(buildah, container, cleanup);
    const root = await buildah.run('mount', container);
    await readOnlyRoot(root, cleanup);
    // The base of the image is also a server without npm, on which the documented steps install the package.
    await checkUnits(server, join(root, 'app'), cleanup);
  },
);

/** The volume of the image keeps the animals and the first key. Runs as the user of the image. */
async function startTwice(buildah: Buildah, container: string, cleanup: Cleanup): Promise<void> {
  const runtime: Runtime = (variables) => {
    const assignments = Object.entries(variables).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    return ['buildah', ...buildah.storage, 'run', '--isolation', 'chroot', ...assignments, container, '--'];
  };
  const healthCheck = await buildah.healthCheck(image);
  const check = ({ port }: Container) => execute(runtime, healthCheck, { PORT: String(port) });
  const first = await Container.start(cleanup, runtime);
  const apiKey = (await execute(runtime, ['cat', '/data/first-key'])).trim();
  await first.createAnimal(apiKey);
  await check(first);
  await first.stop();
  await expect(check(first)).rejects.toThrow('Command failed');
  const second = await Container.start(cleanup, runtime);
  expect((await clientOf(second.url, { apiKey }).listPets().page()).pets).toHaveLength(1);
  await second.stop();
}

/** As deploy/kubernetes and compose.yaml run it: only the volume of the data is writable. */
async function readOnlyRoot(root: string, cleanup: Cleanup): Promise<void> {
  const data = join(await temporaryDirectory(cleanup), 'data');
  await mkdir(data, { mode: 0o700 });
  const user = ['--unshare-user', '--uid', String(imageUser), '--gid', '0', '--unshare-pid', '--die-with-parent'];
  const system = ['--ro-bind', root, '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--chdir', '/app'];
  const runtime: Runtime = (variables) => {
    const assignments = Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]);
    return ['bwrap', ...user, ...system, '--bind', data, '/data', ...assignments];
  };
  const container = await Container.start(cleanup, runtime, { DATA_DIR: '/data', BOOTSTRAP_API_KEY });
  await container.createAnimal(BOOTSTRAP_API_KEY);
  await container.stop();
}
