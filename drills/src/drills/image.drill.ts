import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { now } from '../clock.js';
import { createBaseImage } from '../container/base-image.js';
import { Buildah } from '../container/buildah.js';
import { Container } from '../container/container.js';
import { requireRootAnd } from '../container/requirements.js';
import { buildahRuntime, readOnlyRuntime, type Runtime } from '../container/runtimes.js';
import { checkUnit, installUnit, unitRuntime } from '../container/systemd-unit.js';
import type { Drill, DrillContext } from '../drill.js';
import { megabytes, seconds, type Tally } from '../tally.js';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const [base, image] = ['localhost/petstore-base', 'localhost/petstore'];
const maxBytes = 200e6;
const imageUser = 10_001;
const arbitraryUser = 12_345;
const bootstrapKey = 'a-key-for-the-drill-of-the-image';

export const containerImage: Drill = {
  name: 'image',
  about: 'the container image, with a read-only root and an arbitrary user, and the systemd unit on a clean Debian',
  limitSeconds: 900,
  async run({ cleanup }: DrillContext, tally: Tally): Promise<void> {
    requireRootAnd(['buildah', 'debootstrap', 'bwrap']);
    const buildah = await Buildah.create(cleanup);
    const server = await createBaseImage(buildah, base, cleanup);
    await build(buildah, tally);
    const container = await buildah.run('from', image);
    await startTwice(buildah, container, { cleanup, tally });
    const root = await buildah.run('mount', container);
    await readOnlyRoot(root, { cleanup, tally });
    await arbitraryUserId(root, { cleanup, tally });
    await systemdUnit({ server, packaged: join(root, 'app') }, { cleanup, tally });
  },
};

interface Parts {
  readonly cleanup: DrillContext['cleanup'];
  readonly tally: Tally;
}

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

/** The volume of the image keeps the animals and the first key. */
async function startTwice(buildah: Buildah, container: string, { cleanup, tally }: Parts): Promise<void> {
  const runtime = buildahRuntime(buildah, container);
  const { Healthcheck } = await buildah.config(image);
  const run = promisify(execFile);
  const execute = (variables: Record<string, string>, command: readonly string[]) =>
    run(runtime.program, [...runtime.args(variables), ...command]);
  const isHealthy = ({ port }: Container) =>
    execute({ PORT: String(port) }, Healthcheck.Test.slice(1)).then(
      () => true,
      () => false,
    );
  const first = await measuredStart('first', runtime, { cleanup, tally });
  const key = (await execute({}, ['cat', '/data/first-key'])).stdout.trim();
  await createAnimal(first, key, tally);
  tally.expect(await isHealthy(first), 'the health check failed while the service was running');
  tally.note(`memory with PostgreSQL ${megabytes(first.memory)}`);
  await stop(first, tally);
  tally.expect(!(await isHealthy(first)), 'the health check passed after the stop');
  const second = await measuredStart('second', runtime, { cleanup, tally });
  const stored = (await (await second.fetch('/v1/pets', key)).json()) as unknown[];
  tally.lost += 1 - stored.length;
  await stop(second, tally);
}

async function measuredStart(which: string, runtime: Runtime, { cleanup, tally }: Parts): Promise<Container> {
  const begin = now();
  const container = await Container.start(cleanup, runtime);
  tally.note(`${which} start ${seconds(now() - begin)}`);
  return container;
}

async function readOnlyRoot(root: string, { cleanup, tally }: Parts): Promise<void> {
  const data = join(await temporaryDirectory(cleanup), 'data');
  await mkdir(data, { mode: 0o700 });
  const runtime = readOnlyRuntime(root, { uid: imageUser, mounts: ['--bind', data, '/data'] });
  const variables = { DATA_DIR: '/data', BOOTSTRAP_API_KEY: bootstrapKey };
  const container = await Container.start(cleanup, runtime, variables);
  await createAnimal(container, bootstrapKey, tally);
  await stop(container, tally);
}

/** initdb needs a name for its user, so a user that the image does not have needs `DATABASE_URL`. */
async function arbitraryUserId(root: string, { cleanup, tally }: Parts): Promise<void> {
  const rejected = await Container.launch(
    cleanup,
    readOnlyRuntime(root, { uid: arbitraryUser, mounts: ['--tmpfs', '/data'] }),
  );
  const code = await rejected.exited();
  tally.expect(code === 1 && rejected.output.includes('set DATABASE_URL'), `no explanation: ${rejected.output}`);
  const server = await PostgresServer.start(cleanup);
  const socket = new URL(server.url()).searchParams.get('host') ?? '';
  const variables = { DATABASE_URL: server.url(), BOOTSTRAP_API_KEY: bootstrapKey };
  const runtime = readOnlyRuntime(root, { uid: arbitraryUser, mounts: ['--bind', socket, socket] });
  const container = await Container.start(cleanup, runtime, variables);
  await createAnimal(container, bootstrapKey, tally);
}

/** The base of the image is also a server without npm, on which the documented steps install the package. */
async function systemdUnit(paths: { server: string; packaged: string }, { cleanup, tally }: Parts): Promise<void> {
  await installUnit(paths.server, paths.packaged);
  await checkUnit(paths.server);
  const service = await Container.launch(cleanup, await unitRuntime(paths.server));
  await service.printed('Petstore is ready.');
  await stop(service, tally);
}

async function createAnimal(container: Container, key: string, tally: Tally): Promise<void> {
  const body = JSON.stringify({ name: 'Rex', categoryId: 7 });
  const { status } = await container.fetch('/v1/pets', key, { method: 'POST', body });
  tally.expect(status === 201, `a create in the container returned ${status}`);
  if (status === 201) tally.acknowledged += 1;
}

async function stop(container: Container, tally: Tally): Promise<void> {
  tally.expect((await container.stop()) === 0, `the container did not stop: ${container.output}`);
}
