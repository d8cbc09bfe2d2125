import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { now } from '../clock.js';
import type { DrillContext } from '../drill.js';
import { seconds, type Tally } from '../tally.js';
import type { Buildah } from './buildah.js';
import { buildahRuntime, Container, readOnlyRuntime, type Runtime } from './container.js';

const run = promisify(execFile);
const compose = fileURLToPath(new URL('../../../compose.yaml', import.meta.url));
const imageUser = 10_001;
const arbitraryUser = 12_345;
const bootstrapKey = 'a-key-for-the-drill-of-the-image';

export interface Parts {
  readonly cleanup: DrillContext['cleanup'];
  readonly tally: Tally;
}

/** The volume of the image keeps the animals and the first key. */
export async function startTwice(buildah: Buildah, image: string, { cleanup, tally }: Parts): Promise<string> {
  const container = await buildah.run('from', image);
  const runtime = buildahRuntime(buildah, container);
  const { Healthcheck } = await buildah.config(image);
  const isHealthy = ({ port }: Container) =>
    execute(runtime, Healthcheck.Test.slice(1), { PORT: String(port) }).then(
      () => true,
      () => false,
    );
  const first = await measuredStart('first', runtime, { cleanup, tally });
  const key = (await execute(runtime, ['cat', '/data/first-key'])).trim();
  await createAnimal(first, key, tally);
  tally.expect(await isHealthy(first), 'the health check failed while the service was running');
  await stop(first, tally);
  tally.expect(!(await isHealthy(first)), 'the health check passed after the stop');
  const second = await measuredStart('second', runtime, { cleanup, tally });
  const stored = (await (await second.fetch('/v1/pets', key)).json()) as unknown[];
  tally.lost += 1 - stored.length;
  await stop(second, tally);
  return container;
}

/** Runs a command in the image. Returns what it prints. */
async function execute(runtime: Runtime, command: readonly string[], variables = {}): Promise<string> {
  const { stdout } = await run(runtime.program, [...runtime.args(variables), ...command]);
  return stdout;
}

async function measuredStart(which: string, runtime: Runtime, { cleanup, tally }: Parts): Promise<Container> {
  const begin = now();
  const container = await Container.start(cleanup, runtime);
  tally.note(`${which} start ${seconds(now() - begin)}`);
  return container;
}

export async function readOnlyRoot(root: string, { cleanup, tally }: Parts): Promise<void> {
  const data = await privateDirectory(cleanup);
  const runtime = readOnlyRuntime(root, imageUser, ['--bind', data, '/data']);
  const variables = { DATA_DIR: '/data', BOOTSTRAP_API_KEY: bootstrapKey };
  const container = await Container.start(cleanup, runtime, variables);
  await createAnimal(container, bootstrapKey, tally);
  await stop(container, tally);
}

/** initdb needs a name for its user, so a user that the image does not have needs `DATABASE_URL`. */
export async function arbitraryUserId(root: string, { cleanup, tally }: Parts): Promise<void> {
  const mounts = ['--tmpfs', '/data'];
  const rejected = await Container.launch(cleanup, readOnlyRuntime(root, arbitraryUser, mounts));
  const code = await rejected.exited();
  tally.expect(code === 1 && rejected.output.includes('set DATABASE_URL'), `no explanation: ${rejected.output}`);
  const postgres = await PostgresServer.start(cleanup);
  const { socket } = postgres;
  const variables = { DATABASE_URL: postgres.url(), BOOTSTRAP_API_KEY: bootstrapKey };
  const runtime = readOnlyRuntime(root, arbitraryUser, ['--bind', socket, socket]);
  const container = await Container.start(cleanup, runtime, variables);
  await createAnimal(container, bootstrapKey, tally);
  await composeBackup(root, postgres, { cleanup, tally });
}

/** Runs the command of the service `backup` in compose.yaml. */
async function composeBackup(root: string, postgres: PostgresServer, { cleanup, tally }: Parts): Promise<void> {
  const list = /\n {2}backup:\n.+?\n {4}command: \[(.+?)\]\n/s.exec(await readFile(compose, 'utf8'))?.[1] ?? '';
  const command = list.split(', ').map((word) => word.replaceAll("'", ''));
  const backups = await privateDirectory(cleanup);
  const mounts = ['--bind', postgres.socket, postgres.socket, '--bind', backups, '/data'];
  await execute(readOnlyRuntime(root, imageUser, mounts), command, {
    DATABASE_URL: postgres.url(),
    BACKUP_DIRECTORY: '/data',
  });
  const files = await readdir(backups);
  tally.expect(files.length === 1, `the backup of compose.yaml wrote ${files.length} files`);
}

async function privateDirectory(cleanup: DrillContext['cleanup']): Promise<string> {
  const directory = join(await temporaryDirectory(cleanup), 'data');
  await mkdir(directory, { mode: 0o700 });
  return directory;
}

async function createAnimal(container: Container, key: string, tally: Tally): Promise<void> {
  const body = JSON.stringify({ name: 'Rex', categoryId: 7 });
  const { status } = await container.fetch('/v1/pets', key, { method: 'POST', body });
  tally.expect(status === 201, `a create in the container returned ${status}`);
  if (status === 201) tally.acknowledged += 1;
}

export async function stop(container: Container, tally: Tally): Promise<void> {
  tally.expect((await container.stop()) === 0, `the container did not stop: ${container.output}`);
}
