import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataDirectory } from './data-directory.js';
import { EmbeddedPostgresError, ignoreMissing, programError } from './embedded-postgres-error.js';
import { run } from './postgres-programs.js';

/** For setup and the advisory locks. The permissions of the socket directory control access. */
export const superuser = 'postgres';
export const serviceRole = 'petstore';
export const databaseName = 'petstore';

/** The major version of the `@embedded-postgres` packages. A cluster works with one major version only. */
const postgresMajor = '18';

const initdbOptions = [
  '--auth=trust',
  '--no-instructions',
  // The builtin collation sorts the same on every machine, whatever locales are installed.
  '--encoding=UTF8',
  '--locale=C',
  // The letters of every script, for the search index. Without it, pg_trgm knows only ASCII letters.
  `--lc-ctype=${process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8'}`,
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--set=timezone=UTC',
  '--set=log_timezone=UTC',
];

/** The service's role owns its database and nothing else. */
const createDatabase = `CREATE ROLE ${serviceRole} LOGIN;
CREATE DATABASE ${databaseName} OWNER ${serviceRole};
`;

/**
 * Creates the cluster and the database unless they exist.
 * @throws EmbeddedPostgresError when the directory holds something else, or another major version.
 */
export async function ensureCluster(directory: DataDirectory, log: (message: string) => void): Promise<void> {
  const { root, cluster } = directory;
  if (!(await hasCluster(cluster))) {
    log(`Creating the database in ${root}. This happens only once.`);
    // The name changes when the cluster is complete: an interrupted start leaves nothing that looks like data.
    const temporary = `${cluster}.new-${randomUUID()}`;
    try {
      await initialize(temporary, directory);
      await rename(temporary, cluster);
      await syncDirectory(root);
    } catch (error) {
      // Another process that started at the same time may have created it first.
      if (!(await hasCluster(cluster))) throw error;
    }
  }
  for (const name of await readdir(root)) {
    // A start that was killed, or that another one overtook, leaves its directory.
    if (!name.startsWith('postgres.new-')) continue;
    // This fails while the start's program still writes there. The next start removes the rest.
    await rm(join(root, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function hasCluster(cluster: string): Promise<boolean> {
  const content = (await readdir(cluster).catch(ignoreMissing)) ?? [];
  if (content.length === 0) return false;
  if (!content.includes('PG_VERSION')) {
    throw new EmbeddedPostgresError(
      `${cluster} is not empty and not a PostgreSQL data directory. Nothing in it was changed. ` +
        'Move it away, or set DATA_DIR to another directory.',
    );
  }
  const found = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  if (found === postgresMajor) return true;
  throw new EmbeddedPostgresError(
    `PostgreSQL ${found} created ${cluster}, but this version of the service includes PostgreSQL ${postgresMajor}. ` +
      `The data is unchanged. With the version of the service that includes PostgreSQL ${found}, run the command "backup". ` +
      'With this version, set DATA_DIR to a new directory, then run the commands "migration apply" and "restore".',
  );
}

async function initialize(target: string, directory: DataDirectory): Promise<void> {
  const options = [`--pgdata=${target}`, `--username=${superuser}`, ...initdbOptions];
  const singleUser = ['--single', '-D', target, '-c', 'exit_on_error=on', 'postgres'];
  const output =
    (await run(directory, 'initdb', options)) ??
    (await run(directory, 'postgres', singleUser, { input: createDatabase }));
  if (output !== undefined) throw programError(directory.root, output);
}

/** Shared folders of virtual machines and some network drives cannot sync a directory. PostgreSQL ignores these errors too. */
const cannotSync = new Set(['EACCES', 'EBADF', 'EINVAL', 'ENOTSUP']);

/** Without this, a power cut could undo the creation or the rename of a file in the directory. */
export async function syncDirectory(path: string): Promise<void> {
  try {
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!cannotSync.has(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}
