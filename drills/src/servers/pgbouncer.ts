import { execFile } from 'node:child_process';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import { execute } from '@petstore/processes/database.js';
import { Program } from '@petstore/processes/program.js';
import { freePort } from '@petstore/processes/server-process.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { vi } from 'vitest';
import { type DrillContext, requireRootAnd } from '../drill.js';
import { readAndReplace } from './program.js';

const configuration = fileURLToPath(new URL('../../../deploy/pgbouncer/pgbouncer.ini', import.meta.url));
/** The user and the group that own no files on Debian. PgBouncer refuses to run as root. */
const unprivilegedId = 65_534;
const password = 'only-for-this-drill';

interface PgBouncerOptions {
  cleanup: Cleanup;
  /** The root directory of a system with PgBouncer. */
  root: string;
  /** The role of the database `petstore` behind it, and the port of its server. */
  role: string;
  databasePort: number;
  /** The number of connections to the database. */
  poolSize: number;
}

/** PgBouncer with the configuration of the repository, other ports and a small pool. */
export class PgBouncer {
  #process: Program | undefined;

  private constructor(
    private readonly root: string,
    private readonly file: string,
    /** The URL of the database through it. */
    readonly url: string,
  ) {}

  static async start({ cleanup, root, role, databasePort, poolSize }: PgBouncerOptions): Promise<PgBouncer> {
    const port = await freePort();
    const url = `postgresql://${role}:${password}@127.0.0.1:${port}/petstore`;
    const directory = await directoryFor(role, { cleanup, root });
    const inside = `/${relative(root, directory)}`;
    const text = await readAndReplace(configuration, {
      'port=5432': `port=${databasePort}`,
      'listen_port = 6432': `listen_port = ${port}`,
      '/etc/pgbouncer/userlist.txt': `${inside}/userlist.txt`,
      'default_pool_size = 20': `default_pool_size = ${poolSize}`,
    });
    await writeFile(join(directory, 'pgbouncer.ini'), text);
    const bouncer = await cleanup.own(
      () => Promise.resolve(new PgBouncer(root, `${inside}/pgbouncer.ini`, url)),
      (created) => created.#stop(),
    );
    await bouncer.#start();
    return bouncer;
  }

  /** Breaks all connections through it. */
  async restart(): Promise<void> {
    await this.#stop();
    await this.#start();
  }

  async #start(): Promise<void> {
    const args = [`--userspec=${unprivilegedId}:${unprivilegedId}`, this.root, 'pgbouncer', '--quiet', this.file];
    this.#process = new Program(['chroot', ...args]);
    await vi.waitFor(() => execute(this.url, 'SELECT 1'), { timeout: 10_000, interval: 50 });
  }

  /** SIGQUIT does not wait for clients. */
  async #stop(): Promise<void> {
    await this.#process?.end('SIGQUIT');
  }
}

/** A directory in the system of PgBouncer, with the password of the role. */
async function directoryFor(role: string, { cleanup, root }: Pick<PgBouncerOptions, 'cleanup' | 'root'>) {
  const directory = await cleanup.own(
    () => mkdtemp(join(root, 'tmp/petstore-pgbouncer-')),
    (created) => rm(created, { recursive: true, force: true }),
  );
  await chown(directory, unprivilegedId, unprivilegedId);
  await writeFile(join(directory, 'userlist.txt'), `"${role}" "${password}"\n`);
  return directory;
}

const run = promisify(execFile);
/** Debian 12 has an older version than the service needs. */
const newerDebian = 'trixie';

/**
 * Returns the root directory of a system that has PgBouncer 1.21 or newer: this one, or a newer Debian, which it installs
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
