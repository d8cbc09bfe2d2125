import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chown, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Account, chooseAccount } from './account.js';
import { EmbeddedPostgresError, folderError } from './embedded-postgres.error.js';

/** Where the embedded database is kept: absolute paths. */
export interface DataFolder {
  readonly root: string;
  /** PostgreSQL's own folder. */
  readonly cluster: string;
  /** What PostgreSQL says of itself. */
  readonly log: string;
  /** The folder of its unix socket. */
  readonly socket: string;
  readonly account: Account;
}

/**
 * Makes the folder ready for use; what is there already stays.
 * @throws EmbeddedPostgresError when it cannot be used.
 */
export async function openDataFolder(dataDir: string): Promise<DataFolder> {
  const path = resolve(dataDir);
  try {
    await mkdir(dirname(path), { recursive: true });
    await makePrivateFolder(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    const root = await realpath(path);
    const cluster = join(root, 'postgres');
    const account = await chooseAccount(root, cluster);
    const socket = socketFolder(root);
    await openSocketFolder(socket, account);
    return { root, cluster, log: join(root, 'postgres.log'), socket, account };
  } catch (error) {
    throw folderError(path, error);
  }
}

/** For `root`, a real path. Every command finds the same one. */
export function socketFolder(root: string): string {
  const inside = join(root, 'socket');
  // The path of a socket ends at 104 bytes on macOS and at 108 on Linux, and psql takes a comma for the next host.
  if (Buffer.byteLength(join(inside, '.s.PGSQL.5432')) <= 100 && !inside.includes(',')) return inside;
  return `/tmp/petstore-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`;
}

// Whoever could put a socket of their own there would get our queries, and whoever can enter may do all in the database.
async function openSocketFolder(path: string, { uid, identity }: Account): Promise<void> {
  const isNew = await makePrivateFolder(path);
  if (isNew && identity.uid !== undefined) await chown(path, identity.uid, identity.gid);
  const found = await lstat(path);
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return;
  throw new EmbeddedPostgresError(
    `The folder of the database's socket, ${path}, is not safe: it must be a folder of user id ${uid} that nobody else ` +
      'may enter (mode 0700). Remove it: it is made again.',
  );
}

async function makePrivateFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (isFolder) return false;
    throw error;
  }
}
