import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execute } from '@petstore/processes/database.js';
import { freePort } from '@petstore/processes/server-process.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { vi } from 'vitest';
import type { DrillContext } from '../drill.js';

const packages = '/usr/lib/postgresql';
/** The user and the group that own no files on Debian. PostgreSQL and PgBouncer refuse to run as root. */
export const unprivilegedId = 65_534;

/**
 * Starts PostgreSQL of the system's packages, which listens on a TCP port, unlike the embedded one. Returns the URL of an
 * empty database. Skips the drill if the packages are not installed, or the user is not root.
 */
export async function startSystemPostgres({ cleanup, skip }: Pick<DrillContext, 'cleanup' | 'skip'>): Promise<string> {
  const programs = await findPrograms(skip);
  const port = await freePort();
  const directory = await temporaryDirectory(cleanup);
  await chown(directory, unprivilegedId, unprivilegedId);
  const data = join(directory, 'data');
  const initdb = start(join(programs, 'initdb'), [
    '--pgdata',
    data,
    '--username=petstore',
    '--auth=trust',
    '--no-sync',
  ]);
  const [code] = (await once(initdb, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`initdb exited with ${String(code)}.`);
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
  await cleanup.own(
    async () => start(join(programs, 'postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])]),
    stop,
  );
  const url = `postgresql://petstore@127.0.0.1:${port}`;
  const create = () => execute(`${url}/postgres`, 'CREATE DATABASE petstore');
  await vi.waitFor(create, { timeout: 10_000, interval: 50 });
  return `${url}/petstore`;
}

async function findPrograms(skip: DrillContext['skip']): Promise<string> {
  const versions = await readdir(packages).catch(() => []);
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];
  if (newest === undefined) return skip('PostgreSQL is not installed; on Debian: apt-get install postgresql');
  if (process.getuid?.() !== 0) skip('only root can start PostgreSQL as another user');
  return join(packages, newest, 'bin');
}

function start(program: string, args: readonly string[]): ChildProcess {
  return spawn(program, args, { uid: unprivilegedId, gid: unprivilegedId, stdio: 'ignore' });
}

/** SIGQUIT ends all processes of the server immediately. */
async function stop(postgres: ChildProcess): Promise<void> {
  if (postgres.exitCode !== null) return;
  const exited = once(postgres, 'exit');
  postgres.kill('SIGQUIT');
  await exited;
}
