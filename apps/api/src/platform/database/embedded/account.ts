import { type ChildProcess, spawn, spawnSync, type StdioOptions } from 'node:child_process';
import { chown, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unsupportedError } from './embedded-postgres.error.js';

/** The user as whom PostgreSQL's programs run. They refuse to run as root. */
export interface Account {
  /** Who owns the files. */
  readonly uid: number;
  /** Put before a command. */
  readonly prefix: readonly string[];
  /** What a child process becomes; empty when it stays who we are. */
  readonly identity: { readonly uid: number; readonly gid: number } | { readonly uid?: never; readonly gid?: never };
}

const nobody = 65534;
// In a user namespace of its own PostgreSQL takes itself for nobody, while its files stay root's.
const namespace = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`];

/**
 * An ordinary user is taken as it is. For root it is the owner of the data; where that is root too, root in a user
 * namespace; and where those are forbidden, as in many containers, nobody, to whom the data is then handed over.
 * @throws EmbeddedPostgresError when root can have none of these.
 */
export async function chooseAccount(folder: string, cluster: string): Promise<Account> {
  const self = process.getuid?.() ?? nobody;
  if (self !== 0) return { uid: self, prefix: [], identity: {} };
  const { uid, gid } = await stat(cluster).catch(() => stat(folder));
  if (uid !== 0) return switchTo(uid, gid);
  const [command = '', ...args] = namespace;
  if (spawnSync(command, [...args, 'true']).status === 0) return { uid: 0, prefix: namespace, identity: {} };
  return handOver(folder, cluster);
}

/** Starts a program of PostgreSQL's. Nothing of our environment reaches it: no secret, no PG variable, no language. */
export function launch(account: Account, command: readonly string[], options: LaunchOptions): ChildProcess {
  const [program = '', ...args] = [...account.prefix, ...command];
  const env = { PATH: process.env.PATH, LC_ALL: 'C', ...options.env };
  return spawn(program, args, { cwd: '/', ...options, ...account.identity, env });
}

interface LaunchOptions {
  readonly stdio: StdioOptions;
  readonly detached?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

async function handOver(folder: string, cluster: string): Promise<Account> {
  const account = switchTo(nobody, nobody);
  await chown(folder, nobody, nobody);
  spawnSync('chown', ['-Rh', `${nobody}:${nobody}`, cluster, join(folder, 'socket')]);
  if (spawnSync('test', ['-w', folder], account.identity).status === 0) return account;
  throw unsupportedError(
    `As root PostgreSQL would run as user id ${nobody}, who cannot reach ${folder}.`,
    'Choose with DATA_DIR a folder that every user can reach, run the service as an ordinary user',
  );
}

function switchTo(uid: number, gid: number): Account {
  const identity = { uid, gid };
  if (spawnSync('true', identity).status === 0) return { uid, prefix: [], identity };
  throw unsupportedError(
    `PostgreSQL does not run as root, and this root may not become user id ${uid} or make a user namespace.`,
    'Run the service as an ordinary user',
  );
}
