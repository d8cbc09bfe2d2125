import { createHash } from 'node:crypto';
import { constants, statSync } from 'node:fs';
import { access, chmod, chown, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Account, chooseAccount, nobody } from './account.js';
import { EmbeddedPostgresError, ignoreMissing } from './embedded-postgres-error.js';

type Log = (message: string) => void;

const rootUser = 0;
const writeOfOthers = 0o022;
const moreThanGroupRead = 0o027;
const allOfOthers = 0o077;
/** Directories for everybody, such as /tmp, have it. */
const sticky = 0o1000;

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

/**
 * Creates what is missing of the directory, without the cluster.
 * @throws EmbeddedPostgresError, or the error of the file system, when it cannot be used.
 */
export async function openDataDirectory(dataDir: string, log: Log): Promise<DataDirectory> {
  const path = resolve(dataDir);
  await mkdir(dirname(path), { recursive: true });
  // With `recursive`, Node would hide the cause of a failure.
  await mkdir(path, { mode: 0o700 }).catch((error: Error) => {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  });
  await requireTrustedOwner(path);
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  rejectForeignData(path);
  const root = await realpath(path);
  const [cluster, socket] = [join(root, 'postgres'), socketDirectory(root)];
  await removeRights(root, writeOfOthers, log);
  await requireOwnWrites(root);
  // The administrator may let the group read the data.
  await removeRights(cluster, moreThanGroupRead, log);
  await removeRights(socket, allOfOthers, log);
  const account = await chooseAccount(root, cluster);
  await openSocketDirectory(socket, account);
  return { root, cluster, log: join(root, 'postgres.log'), socket, account };
}

/** A new database inside of the data of another one would hide it. */
function rejectForeignData(path: string): void {
  if (!statSync(join(path, 'PG_VERSION'), { throwIfNoEntry: false })) return;
  throw new EmbeddedPostgresError(
    `${path} has the data of a PostgreSQL server. Nothing was changed. If the service created it, set DATA_DIR to ` +
      `${dirname(path)}. Otherwise, set DATABASE_URL to the server, or DATA_DIR to another directory.`,
  );
}

/** Everyone who can write to the directory could replace the database and its first key. */
async function requireOwnWrites(root: string): Promise<void> {
  if (((await stat(root)).mode & writeOfOthers) === 0) return;
  throw new EmbeddedPostgresError(
    `The data directory ${root} is not safe: other users can write to it. If it has a database, run: chmod go-w ${root}. ` +
      `Otherwise, set DATA_DIR to a new directory in it, such as ${join(root, 'private')}.`,
  );
}

/**
 * Removes all rights of others if they have one of `rejected`. Some file systems ignore it; PostgreSQL then rejects the
 * directory. Does not follow a symbolic link, which may lead to a directory of another program.
 */
async function removeRights(path: string, rejected: number, log: Log): Promise<void> {
  const found = await lstat(path).catch(ignoreMissing);
  if (!found?.isDirectory() || (found.mode & rejected) === 0 || (found.mode & sticky) !== 0) return;
  const mode = found.mode & 0o7777;
  try {
    await chmod(path, mode & ~allOfOthers);
    log(`Removed rights of other users on ${path}: its mode was ${mode.toString(8)}.`);
  } catch {
    // Only the owner can change it.
  }
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
  const created = await mkdir(path, { recursive: true, mode: 0o700 });
  if (created && identity) await chown(path, identity.uid, identity.gid);
  const found = await lstat(path);
  if (found.isDirectory() && found.uid === uid && (found.mode & allOfOthers) === 0) return;
  throw new EmbeddedPostgresError(
    `The socket directory ${path} is not safe: it must be a directory that belongs to user id ${uid} with mode 0700. ` +
      'Remove it, then restart. The service creates it again.',
  );
}
