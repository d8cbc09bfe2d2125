import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { now } from './clock.js';
import { Buildah, createBaseImage } from './container/buildah.js';
import { arbitraryUserId, readOnlyRoot, startTwice } from './container/image-checks.js';
import { checkUnits } from './container/systemd-units.js';
import { drill, requireRootAnd } from './drill.js';
import { megabytes, seconds, type Tally } from './tally.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const [base, image] = ['localhost/petstore-base', 'localhost/petstore'];
const maxBytes = 200e6;

drill(
  'the container image, with a read-only root and an arbitrary user, and the systemd units on a clean Debian',
  { timeout: 900_000 },
  async ({ cleanup, tally, skip }) => {
    requireRootAnd(skip, ['buildah', 'debootstrap', 'bwrap']);
    const buildah = await Buildah.create(cleanup);
    const server = await createBaseImage(buildah, base, cleanup);
    await build(buildah, tally);
    const container = await startTwice(buildah, image, { cleanup, tally });
    const root = await buildah.run('mount', container);
    await readOnlyRoot(root, { cleanup, tally });
    await arbitraryUserId(root, { cleanup, tally });
    // The base of the image is also a server without npm, on which the documented steps install the package.
    await checkUnits({ server, packaged: join(root, 'app') }, { cleanup, tally });
  },
);

async function build(buildah: Buildah, tally: Tally): Promise<void> {
  const begin = now();
  const options = ['--isolation', 'chroot', '--network', 'host', '--format', 'docker'];
  await buildah.run('bud', ...options, '--build-arg', `NODE_IMAGE=${base}`, '--tag', image, repository);
  const bytes = (await buildah.bytes(image)) - (await buildah.bytes(base));
  tally.expect(bytes <= maxBytes, `the image is ${megabytes(bytes)} larger than its base`);
  const { User, StopSignal } = await buildah.config(image);
  tally.expect(User === 'petstore' && StopSignal === 'SIGTERM', `user ${User}, stop signal ${StopSignal}`);
  tally.note(`built in ${seconds(now() - begin)}, ${megabytes(bytes)} above the base image`);
}
