import { execFile } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { promisify } from 'node:util';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { requireRootAnd } from '../container/requirements.js';
import type { DrillContext } from '../drill.js';

const run = promisify(execFile);
/** Debian 12 has an older version than the service needs. */
const newerDebian = 'trixie';

/**
 * Returns the root directory of a system that has PgBouncer 1.21 or newer: this one, or a newer Debian that it installs
 * into a temporary directory. Skips the drill unless root runs it on Debian.
 */
export async function installPgBouncer({ cleanup, skip }: Pick<DrillContext, 'cleanup' | 'skip'>): Promise<string> {
  if (await isNewEnough()) return '/';
  requireRootAnd(skip, ['debootstrap']);
  const root = await temporaryDirectory(cleanup);
  // PgBouncer does not run as root.
  await chmod(root, 0o755);
  await run('debootstrap', ['--variant=minbase', '--include=pgbouncer', newerDebian, root]);
  return root;
}

/** Prepared statements in transaction mode came with 1.21. */
async function isNewEnough(): Promise<boolean> {
  const { stdout } = await run('pgbouncer', ['--version']).catch(() => ({ stdout: '' }));
  const [, major = 0, minor = 0] = (/^PgBouncer (\d+)\.(\d+)/.exec(stdout) ?? []).map(Number);
  return major > 1 || (major === 1 && minor >= 21);
}
