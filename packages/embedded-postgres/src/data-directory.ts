import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chown, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Account, chooseAccount, nobody } from './account.js';
import { EmbeddedPostgresError, directoryError } from './embedded-postgres-error.js';

const rootUser = 0;

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
 * @throws EmbeddedPostgresError when it cannot be used.
 */
export async function openDataDirectory(dataDir: string): Promise<DataDirectory> {
  const path = resolve(dataDir);
  try {
    await mkdir(dirname(path), { recursive: true });
    await createPrivateDirectory(path);
    await requireTrustedOwner(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    const root = await realpath(path);
    const cluster = join(root, 'postgres');
    const account = await chooseAccount(root, cluster);
    const socket = socketDirectory(root);
    await openSocketDirectory(socket, account);
    return { root, cluster, log: join(root, 'postgres.log'), socket, account };
  } catch (error) {
    throw directoryError(path, error);
  }
}

/** `root` must be a real path, so that every process gets the same result. */
export function socketDirectory(root: string): string {
  const inside = join(root, 'socket');
  // Socket paths end at 104 bytes on macOS and 108 on Linux, and psql splits hosts at commas.
  if (Buffer.byteLength(join(inside, '.s.PGSQL.5432')) <= 100 && !inside.includes(',')) return inside;
  return `/tmp/petstore-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`;
}

/** The owner of the directory, and everyone who can write to it, could replace the database and its first key. */
async function requireTrustedOwner(path: string): Promise<void> {
  const { mode, uid } = await stat(path);
  if ((mode & 0o002) !== 0) {
    throw new EmbeddedPostgresError(
      `The data directory ${path} is not safe: every user can write to it. ` +
        `Run "chmod o-w ${path}", or set DATA_DIR to another directory.`,
    );
  }
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
