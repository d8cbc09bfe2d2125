import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execute } from '@petstore/processes/database.js';
import { freePort } from '@petstore/processes/server-process.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import type { DrillContext } from '../drill.js';

const packages = '/usr/lib/postgresql';
const startAttempts = 200;

/** A server of the system's PostgreSQL packages, which bring pg_dump and pg_restore. */
export class SystemPostgres {
  private constructor(
    private readonly programs: string,
    private readonly port: number,
  ) {}

  /** Skips the drill if the packages are not installed, or the user is not root. */
  static async start({ cleanup, skip }: Pick<DrillContext, 'cleanup' | 'skip'>): Promise<SystemPostgres> {
    const programs = await findPrograms(skip);
    const port = await freePort();
    const directory = await temporaryDirectory(cleanup);
    // PostgreSQL does not run as root.
    await chown(directory, unprivilegedId, unprivilegedId);
    const server = new SystemPostgres(programs, port);
    const data = join(directory, 'data');
    await server.run('initdb', ['--pgdata', data, '--username=petstore', '--auth=trust', '--no-sync'], unprivilegedId);
    const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'wal_level=logical'];
    await cleanup.own(
      () => Promise.resolve(start(join(programs, 'postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])])),
      (postgres) => stop(postgres),
    );
    await server.ready();
    return server;
  }

  url(database: string): string {
    return `postgresql://petstore@127.0.0.1:${this.port}/${database}`;
  }

  async createDatabase(name: string): Promise<string> {
    await execute(this.url('postgres'), `CREATE DATABASE ${name}`);
    return this.url(name);
  }

  /**
   * Runs a program of the packages until it exits.
   * @throws Error with its output if it fails or writes to standard error.
   */
  async run(program: string, args: readonly string[], uid?: number): Promise<void> {
    const child = spawn(join(this.programs, program), args, { ...(uid && { uid, gid: uid }) });
    let errors = '';
    child.stderr.on('data', (chunk) => (errors += String(chunk)));
    child.stdout.resume();
    await once(child, 'close');
    const code = child.exitCode;
    if (code !== 0 || errors !== '') throw new Error(`${program} exited with ${String(code)}: ${errors}`);
  }

  private async ready(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await execute(this.url('postgres'), 'SELECT 1');
        return;
      } catch (error) {
        if (attempt === startAttempts) throw error;
        await sleep(50);
      }
    }
  }
}

async function findPrograms(skip: DrillContext['skip']): Promise<string> {
  const versions = await readdir(packages).catch(() => []);
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];
  if (newest === undefined) return skip('PostgreSQL is not installed; on Debian: apt-get install postgresql');
  if (process.getuid?.() !== 0) skip('only root can start PostgreSQL as another user');
  return join(packages, newest, 'bin');
}

function start(program: string, args: readonly string[]) {
  return spawn(program, args, { uid: unprivilegedId, gid: unprivilegedId, stdio: 'ignore' });
}

/** SIGQUIT ends all processes of the server immediately. */
async function stop(postgres: ReturnType<typeof start>): Promise<void> {
  if (postgres.exitCode !== null) return;
  const exited = once(postgres, 'exit');
  postgres.kill('SIGQUIT');
  await exited;
}

/** The user and the group that own no files on Debian. PostgreSQL and PgBouncer refuse to run as root. */
export const unprivilegedId = 65_534;
