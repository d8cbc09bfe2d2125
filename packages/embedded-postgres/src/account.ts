import { spawnSync } from 'node:child_process';
import { chown, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing } from './embedded-postgres-error.js';

/** The operating system user that runs PostgreSQL's programs. They refuse to run as root. */
export interface Account {
  /** The owner of the files. */
  readonly uid: number;
  /** Command line arguments in front of each command. */
  readonly prefix: readonly string[];
  /** User and group of the programs. Default: those of this process. */
  readonly identity?: { readonly uid: number; readonly gid: number };
}

/** The id of the user `nobody`. */
export const nobody = 65534;
// In a user namespace PostgreSQL runs as the user `nobody`, while its files still belong to root.
const namespace = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`];

/**
 * An ordinary user runs PostgreSQL as itself. Root uses the first of these that works:
 * 1. the owner of the data
 * 2. root in a user namespace, which some containers forbid
 * 3. the user `nobody`, to whom the data then belongs
 */
export async function chooseAccount(root: string, cluster: string): Promise<Account> {
  const self = process.getuid?.() ?? nobody;
  if (self !== 0) return { uid: self, prefix: [] };
  const { uid, gid } = (await stat(cluster).catch(ignoreMissing)) ?? (await stat(root));
  if (uid !== 0) return { uid, prefix: [], identity: { uid, gid } };
  const [command = '', ...args] = namespace;
  if (spawnSync(command, [...args, 'true']).status === 0) return { uid, prefix: namespace };
  await chown(root, nobody, nobody);
  spawnSync('chown', ['-Rh', `${nobody}:${nobody}`, cluster, join(root, 'socket')]);
  return { uid: nobody, prefix: [], identity: { uid: nobody, gid: nobody } };
}
