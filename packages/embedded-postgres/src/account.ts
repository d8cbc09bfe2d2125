import { type ChildProcess, spawn, spawnSync, type StdioOptions } from 'node:child_process';
import { chown, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unsupportedError } from './embedded-postgres-error.js';

/** The operating system user that runs PostgreSQL's programs. They refuse to run as root. */
export interface Account {
  /** The owner of the files. */
  readonly uid: number;
  /** Command line arguments in front of each command. */
  readonly prefix: readonly string[];
  /** User and group of the child processes. Empty: those of this process. */
  readonly identity: { readonly uid: number; readonly gid: number } | { readonly uid?: never; readonly gid?: never };
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
 * @throws EmbeddedPostgresError when none works.
 */
export async function chooseAccount(root: string, cluster: string): Promise<Account> {
  const self = process.getuid?.() ?? nobody;
  if (self !== 0) return { uid: self, prefix: [], identity: {} };
  const { uid, gid } = await stat(cluster).catch(() => stat(root));
  if (uid !== 0) return switchTo(uid, gid);
  const [command = '', ...args] = namespace;
  if (spawnSync(command, [...args, 'true']).status === 0) return { uid: 0, prefix: namespace, identity: {} };
  return changeOwner(root, cluster);
}

interface LaunchOptions {
  readonly stdio: StdioOptions;
  readonly detached?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a PostgreSQL program. It does not inherit the environment, which may hold secrets, PG* and LC_* variables. */
export function launch(account: Account, command: readonly string[], options: LaunchOptions): ChildProcess {
  const [program = '', ...args] = [...account.prefix, ...command];
  const env = { PATH: process.env.PATH, LC_ALL: 'C', ...options.env };
  return spawn(program, args, { cwd: '/', ...options, ...account.identity, env });
}

async function changeOwner(root: string, cluster: string): Promise<Account> {
  const account = switchTo(nobody, nobody);
  await chown(root, nobody, nobody);
  spawnSync('chown', ['-Rh', `${nobody}:${nobody}`, cluster, join(root, 'socket')]);
  if (spawnSync('test', ['-w', root], account.identity).status === 0) return account;
  throw unsupportedError(
    `This process runs as root, so PostgreSQL would run as user id ${nobody}, which cannot access ${root}.`,
    'Set DATA_DIR to a directory that every user can access, run the service as an ordinary user',
  );
}

function switchTo(uid: number, gid: number): Account {
  const identity = { uid, gid };
  if (spawnSync('true', identity).status === 0) return { uid, prefix: [], identity };
  throw unsupportedError(
    `PostgreSQL does not run as root, and this process may neither switch to user id ${uid} nor create a user namespace.`,
    'Run the service as an ordinary user',
  );
}
