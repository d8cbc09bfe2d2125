import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, chown, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Account, chooseAccount, nobody } from './account.js';
import { EmbeddedPostgresError, directoryError } from './embedded-postgres-error.js';

const rootUser = 0;
const writeOfOthers = 0o022;
const moreThanGroupRead = 0o027;
const allOfOthers = 0o077;
/** Holds the data if the data directory belongs to another user and more users can write to it. */
const privateFolder = 'private';

/** Absolute paths of the embedded database. */
export interface DataDirectory {
  readonly root: string;
  /** PostgreSQL's own data directory. */
  readonly cluster: string;
  readonly log: string;
  /** The directory of the unix socket. */
  readonly socket: string;
  readonly account: Account;
}

/** Returns the directory that holds the data: `dataDir`, or the private folder in it. Creates nothing. */
export async function findDataDirectory(dataDir: string): Promise<string> {
  const inside = join(dataDir, privateFolder);
  const found = await lstat(inside).catch(() => undefined);
  return found?.isDirectory() ? inside : dataDir;
}

/**
 * Creates what is missing of the directory, without the cluster.
 * @throws EmbeddedPostgresError when it cannot be used.
 */
export async function openDataDirectory(dataDir: string, log: (message: string) => void): Promise<DataDirectory> {
  const path = resolve(dataDir);
  try {
    await mkdir(dirname(path), { recursive: true });
    await createPrivateDirectory(path);
    await requireTrustedOwner(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    await rejectCluster(path);
    const root = await realpath(await keepOthersOut(path, log));
    const cluster = join(root, 'postgres');
    await repairRights(root, log);
    const account = await chooseAccount(root, cluster);
    const socket = socketDirectory(root);
    await openSocketDirectory(socket, account);
    return { root, cluster, log: join(root, 'postgres.log'), socket, account };
  } catch (error) {
    throw directoryError(path, error);
  }
}

/** A new database inside of another one would hide its data. */
async function rejectCluster(path: string): Promise<void> {
  const version = await lstat(join(path, 'PG_VERSION')).catch(() => undefined);
  if (version === undefined) return;
  throw new EmbeddedPostgresError(
    `${path} is the data directory of a PostgreSQL server. Nothing in it was changed. If the service created it, set ` +
      `DATA_DIR to ${dirname(path)}. Otherwise, set DATABASE_URL to the server, or DATA_DIR to another directory.`,
  );
}

/**
 * Everyone who can write to the directory could replace the database and its first key. Returns the directory to use:
 * `path` without the write right of others or, if another user owns it, a private folder in it.
 */
async function keepOthersOut(path: string, log: (message: string) => void): Promise<string> {
  const isClosed = await removeRights(path, writeOfOthers, log);
  const directory = await findDataDirectory(path);
  if (isClosed && directory === path) return path;
  const inside = join(path, privateFolder);
  if (directory === path) await createFolderFor(inside, path);
  await requireTrustedOwner(inside);
  // Kubernetes gives the group its rights again at each mount.
  for (const folder of [inside, join(inside, 'postgres'), join(inside, 'socket')]) {
    if (!(await removeRights(folder, allOfOthers, log))) throw notPrivate(path);
  }
  return inside;
}

/** The rights that others must not have, such as after `chmod -R 777`. The administrator may let the group read the data. */
const rejectedRights = {
  postgres: moreThanGroupRead,
  socket: allOfOthers,
  backups: moreThanGroupRead,
  'first-key': allOfOthers,
  'postgres.log': moreThanGroupRead,
};

async function repairRights(root: string, log: (message: string) => void): Promise<void> {
  for (const [name, rejected] of Object.entries(rejectedRights)) {
    const path = join(root, name);
    const found = await lstat(path).catch(() => undefined);
    // A symbolic link leads to what is not ours.
    if (found && !found.isSymbolicLink() && (found.mode & rejected) !== 0) await removeRights(path, allOfOthers, log);
  }
}

/** An existing database next to the folder would be hidden by a new one. */
async function createFolderFor(inside: string, path: string): Promise<void> {
  if (await lstat(join(path, 'postgres')).catch(() => undefined)) {
    throw new EmbeddedPostgresError(
      `The data directory ${path} is not safe: other users can write to it, and it already has a database. Move ` +
        `it as the user of the service, then restart: mkdir -m 700 ${inside} && mv ${path}/postgres ${inside}`,
    );
  }
  await mkdir(inside, { mode: 0o700 });
}

/** Returns whether others do not have the rights, or nothing is there. Some file systems ignore a change. */
async function removeRights(path: string, rights: number, log: (message: string) => void): Promise<boolean> {
  const before = await modeOf(path);
  if ((before & rights) === 0) return true;
  await chmod(path, before & ~rights).catch(() => undefined);
  if (((await modeOf(path)) & rights) !== 0) return false;
  log(`Removed rights of other users on ${path}: its mode was ${before.toString(8)}.`);
  return true;
}

async function modeOf(path: string): Promise<number> {
  const { mode } = await stat(path).catch(() => ({ mode: 0 }));
  return mode & 0o7777;
}

function notPrivate(path: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The data directory ${path} is not safe: other users can write to it, and its file system ignores the change of ` +
      'rights. Set DATA_DIR to another directory.',
  );
}

/** `root` must be a real path, so that every process gets the same result. */
export function socketDirectory(root: string): string {
  const inside = join(root, 'socket');
  // Socket paths end at 104 bytes on macOS and 108 on Linux, and psql splits hosts at commas.
  if (Buffer.byteLength(join(inside, '.s.PGSQL.5432')) <= 100 && !inside.includes(',')) return inside;
  return `/tmp/petstore-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`;
}

/** The owner of the directory could replace the database and its first key. */
async function requireTrustedOwner(path: string): Promise<void> {
  const { uid } = await stat(path);
  const self = process.getuid?.() ?? uid;
  const trusted = self === rootUser ? [rootUser, nobody] : [rootUser, self];
  if (trusted.includes(uid)) return;
  throw new EmbeddedPostgresError(
    `The data directory ${path} is not safe: it belongs to user id ${uid}, and this process runs as user id ${self}. ` +
      `Run the service as user id ${uid}, change the owner of the directory, or set DATA_DIR to another directory.`,
  );
}

// Anyone who can enter this directory has full access to the database. Anyone who can write to it could intercept queries.
async function openSocketDirectory(path: string, { uid, identity }: Account): Promise<void> {
  const isNew = await createPrivateDirectory(path);
  if (isNew && identity.uid !== undefined) await chown(path, identity.uid, identity.gid);
  const found = await lstat(path);
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return;
  throw new EmbeddedPostgresError(
    `The socket directory ${path} is not safe: it must be a directory that belongs to user id ${uid} with mode 0700. ` +
      'Remove it, then restart. The service creates it again.',
  );
}

async function createPrivateDirectory(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory()) return false;
    throw error;
  }
}
