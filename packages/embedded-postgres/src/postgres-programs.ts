import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open, readFile, statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { DataDirectory } from './data-directory.js';
import { directoryError, unsupportedError } from './embedded-postgres-error.js';

/** Absolute paths of PostgreSQL's programs. */
interface Programs {
  readonly postgres: string;
  readonly initdb: string;
  readonly pg_ctl: string;
}

const platforms = 'linux-x64, linux-arm64, darwin-x64 or darwin-arm64';

/**
 * Finds the programs in the npm package for this platform.
 * @throws EmbeddedPostgresError when the platform is not supported or the package is not installed.
 */
export async function findPrograms(platform = `${process.platform}-${process.arch}`): Promise<Programs> {
  try {
    // A bundle of this code is in another package, so look the dependency up from this package's manifest.
    const manifest = createRequire(import.meta.url).resolve('@petstore/embedded-postgres/package.json');
    const path = createRequire(manifest).resolve(`@embedded-postgres/${platform}`);
    return (await import(pathToFileURL(path).href)) as Programs;
  } catch (cause) {
    throw unsupportedError(
      `The embedded PostgreSQL is not installed for ${platform}.`,
      `Install again with optional dependencies on ${platforms}`,
      cause,
    );
  }
}

interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Interrupts the program. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a PostgreSQL program to its end, in its own process group: Ctrl-C at a terminal does not reach it. Its output goes to
 * the log.
 * @returns what it printed, if it failed.
 */
export async function run(
  directory: DataDirectory,
  name: keyof Programs,
  options: readonly string[],
  { input, env, signal }: RunOptions = {},
): Promise<string | undefined> {
  const { prefix, identity } = directory.account;
  const [program = '', ...args] = [...prefix, (await findPrograms())[name], ...options];
  const log = await openLog(directory);
  try {
    const { size } = await log.stat();
    const child = spawn(program, args, {
      cwd: '/',
      detached: true,
      stdio: ['pipe', log.fd, log.fd],
      ...identity,
      // The environment of this process may hold secrets, PG* and LC_* variables.
      env: { PATH: process.env.PATH, LC_ALL: 'C', ...env },
      ...(signal && { signal, killSignal: 'SIGINT' }),
    });
    // A program that ends before it reads its input fails with its own message.
    child.stdin?.on('error', () => undefined).end(input);
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0 ? undefined : await readLog(directory, size);
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw unsupportedError(
      `Cannot run the embedded PostgreSQL (${(cause as Error).message}). Its programs need the GNU C library, which Alpine ` +
        'Linux does not have, and the user that runs the database needs access to them.',
      'Fix this',
      cause,
    );
  } finally {
    await log.close();
  }
}

const limitBytes = 10 * 1024 * 1024;

/** Empties a log of more than 10 MiB: only a program that starts does this, so the log of a running PostgreSQL can grow. */
async function openLog({ log: path, root, account: { identity } }: DataDirectory): Promise<FileHandle> {
  try {
    const log = await open(path, 'a', 0o600);
    if ((await log.stat()).size > limitBytes) await log.truncate();
    if (identity) await log.chown(identity.uid, identity.gid);
    return log;
  } catch (error) {
    throw directoryError(root, error);
  }
}

/** Reads the log from the byte `begin` on. */
async function readLog({ log, root }: DataDirectory, begin: number): Promise<string> {
  const output = (await readFile(log)).subarray(begin).toString();
  const isFull = !/FATAL|error/.test(output) && (await statfs(root)).bavail === 0;
  return isFull ? 'FATAL: No space left on device' : output;
}
