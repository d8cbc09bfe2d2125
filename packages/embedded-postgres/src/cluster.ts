import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { launch } from './account.js';
import { findBinaries, postgresMajor } from './binaries.js';
import { superuser } from './connection.js';
import type { DataDirectory } from './data-directory.js';
import { directoryError, EmbeddedPostgresError, executionError, programError } from './embedded-postgres-error.js';

const initdbOptions = [
  '--auth=trust',
  '--no-instructions',
  // The builtin collation sorts the same on every machine, whatever locales are installed.
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--set=timezone=UTC',
  '--set=log_timezone=UTC',
];
const abandonedMs = 3_600_000;

/**
 * Creates the cluster unless it exists.
 * @throws EmbeddedPostgresError when the directory holds something else, or another major version.
 */
export async function ensureCluster(directory: DataDirectory, log: (message: string) => void): Promise<void> {
  const { root, cluster } = directory;
  await removeAbandoned(root);
  if (await hasCluster(cluster)) return;
  log(`Creating the database in ${root}. This happens only once.`);
  // The name changes when the cluster is complete: an interrupted start leaves nothing that looks like data.
  const temporary = `${cluster}.new-${randomUUID()}`;
  try {
    await initialize(temporary, directory);
    await rename(temporary, cluster);
    await syncDirectory(root);
  } catch (error) {
    // Another process that started at the same time may have created it first.
    if (!(await hasCluster(cluster))) throw directoryError(root, error);
  } finally {
    await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Removes the temporary directories of starts that were killed. */
async function removeAbandoned(root: string): Promise<void> {
  const names = await readdir(root);
  for (const name of names.filter((candidate) => candidate.startsWith('postgres.new-'))) {
    const { mtimeMs } = await stat(join(root, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > abandonedMs) await rm(join(root, name), { recursive: true, force: true });
  }
}

async function hasCluster(cluster: string): Promise<boolean> {
  const content = await readdir(cluster).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw directoryError(cluster, error);
  });
  if (content.length === 0) return false;
  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (version === postgresMajor) return true;
  throw new EmbeddedPostgresError(version === '' ? noCluster(cluster) : otherMajor(cluster, version));
}

async function initialize(target: string, { root, account }: DataDirectory): Promise<void> {
  const { initdb } = await findBinaries();
  const command = [initdb, `--pgdata=${target}`, `--username=${superuser}`, ...initdbOptions];
  const program = launch(account, command, { stdio: ['ignore', 'ignore', 'pipe'] });
  const output = program.stderr ? text(program.stderr) : '';
  const [code] = (await once(program, 'exit').catch((error: Error) => {
    throw executionError(error);
  })) as [number | null];
  if (code !== 0) throw programError(root, await output);
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function noCluster(cluster: string): string {
  return (
    `${cluster} is not empty and not a PostgreSQL data directory. Nothing in it was changed. ` +
    'Move it away, or set DATA_DIR to another directory.'
  );
}

function otherMajor(cluster: string, found: string): string {
  return (
    `PostgreSQL ${found} created ${cluster}, but this version of the service includes PostgreSQL ${postgresMajor}. ` +
    `The data is unchanged. With the version of the service that includes PostgreSQL ${found}, run "npm run backup -- FILE". ` +
    'With this version, set DATA_DIR to a new directory, then run "npm run migration:apply" and "npm run restore -- FILE".'
  );
}
