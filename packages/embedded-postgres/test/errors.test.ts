import { spawnSync } from 'node:child_process';
import { appendFile, chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findPrograms } from '../src/postgres-programs.js';
import { EmbeddedPostgresError, embeddedPostgresUrl, startEmbeddedPostgres } from '../src/embedded-postgres.js';
import { launchProcess, outcomeOf } from './postgres-process.js';
import { silent, temporaryDataDir } from './temporary-data-dir.js';

const mountNamespace = 'unshare --mount';
const canMount = spawnSync(`${mountNamespace} true`, { shell: true }).status === 0;

/** The error message of a start. */
async function errorOf(dataDir: string): Promise<string> {
  const error: unknown = await startEmbeddedPostgres({ dataDir, log: silent }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(EmbeddedPostgresError);
  return (error as EmbeddedPostgresError).message;
}

describe('the embedded PostgreSQL rejects', () => {
  it('an unsupported platform, and names the supported ones', async () => {
    await expect(findPrograms('win32-x64')).rejects.toThrow(
      'The embedded PostgreSQL is not installed for win32-x64. Install again with optional dependencies on linux-x64, ' +
        'linux-arm64, darwin-x64 or darwin-arm64, or set DATABASE_URL',
    );
  });

  it.each([
    [
      'data of another major version',
      ['PG_VERSION', '17\n'],
      /^PostgreSQL 17 created .* includes PostgreSQL 18\. The data is unchanged\. With the .* PostgreSQL 17, run the command "backup"/,
    ],
    ['other files', ['novel.txt', 'Chapter 1'], /\/postgres is not empty and not a PostgreSQL data directory/],
    [
      'damaged data',
      ['PG_VERSION', '18\n'],
      /did not start\. .* is unchanged\. PostgreSQL printed:\n.*postgresql\.conf/,
    ],
  ] as const)('%s, and does not change them', async (_, [name, content], problem) => {
    const dataDir = await temporaryDataDir();
    const cluster = join(dataDir, 'postgres');
    await mkdir(cluster, { recursive: true, mode: 0o700 });
    await writeFile(join(cluster, name), content);
    expect(await errorOf(dataDir)).toMatch(problem);
    expect(await readdir(cluster)).toEqual([name]);
    expect(await readFile(join(cluster, name), 'utf8')).toBe(content);
  });

  it('a data directory of PostgreSQL, such as its own, and creates no database in it', async () => {
    const dataDir = await temporaryDataDir();
    await mkdir(join(dataDir, 'postgres'), { recursive: true, mode: 0o700 });
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '18\n');
    expect(await errorOf(join(dataDir, 'postgres'))).toContain(
      `${dataDir}/postgres has the data of a PostgreSQL server. Nothing was changed. If the service created it, set ` +
        `DATA_DIR to ${dataDir}. `,
    );
    expect(await readdir(join(dataDir, 'postgres'))).toEqual(['PG_VERSION']);
  });

  it('a directory for everybody, such as /tmp, and does not change its mode', async () => {
    const dataDir = await temporaryDataDir();
    await mkdir(dataDir, { recursive: true });
    await chmod(dataDir, 0o1777);
    expect(await errorOf(dataDir)).toContain(`${dataDir} is not safe: other users can write to it.`);
    expect((await stat(dataDir)).mode & 0o7777).toBe(0o1777);
  });

  it('broken configuration files, and names their line or setting', async () => {
    const dataDir = await temporaryDataDir();
    await (await startEmbeddedPostgres({ dataDir, log: silent })).close();
    for (const [file, lines, cause] of [
      ['postgresql.auto.conf', `work_mem = '4MB'\nwork_mem ! 5\n`, 'postgresql.auto.conf" line 4, near token "!"'],
      ['postgresql.conf', 'max_connections = many\n', 'invalid value for parameter "max_connections": "many"'],
      ['pg_hba.conf', 'locl all all trust\n', 'invalid connection type "locl"'],
    ] as const) {
      const path = join(dataDir, 'postgres', file);
      const before = await readFile(path);
      await appendFile(path, lines);
      const error = await errorOf(dataDir);
      expect(error).toContain(cause);
      await writeFile(path, before);
    }
  });

  it.each([
    ['as the data directory', ''],
    ['above the data directory', '/data'],
  ])('a file %s', async (_, below) => {
    const dataDir = await temporaryDataDir('file');
    await writeFile(dataDir, '');
    expect(await errorOf(`${dataDir}${below}`)).toMatch(
      /^Cannot use the data directory .*: (EEXIST: file already exists|ENOTDIR: not a directory)/,
    );
  });

  it('a socket directory that is a symbolic link', async () => {
    const linked = await temporaryDataDir();
    await mkdir(linked);
    await symlink(dirname(linked), join(linked, 'socket'));
    expect(await errorOf(linked)).toContain(`${linked}/socket is not safe`);
  });

  it.runIf(canMount).each([
    ['a full disk', 'size=16m', 'No space left on device'],
    ['a file system that is read-only', 'ro', 'EROFS: read-only file system'],
  ])('%s', async (_, option, cause) => {
    const dataDir = await temporaryDataDir();
    const mount = `mount -t tmpfs -o ${option} tmpfs "$0" && exec "$@"`;
    const prefix = [...mountNamespace.split(' '), 'sh', '-c', mount, dirname(dataDir)];
    const { error } = await outcomeOf(launchProcess(dataDir, { prefix }));
    expect(error).toContain(dataDir);
    expect(error).toContain(cause);
    expect(error).toMatch(/set DATA_DIR to another directory, or set DATABASE_URL/);
  });

  it('to return the URL of a database that does not exist', async () => {
    await expect(embeddedPostgresUrl('/nowhere/data')).rejects.toThrow('There is no database in /nowhere/data.');
    // A command would create the database here.
    const dataDir = await temporaryDataDir();
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    await expect(embeddedPostgresUrl(dataDir)).rejects.toThrow(`There is no database in ${dataDir}.`);
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    await expect(embeddedPostgresUrl(file)).rejects.toThrow(`Cannot use the data directory ${file}: ENOTDIR`);
  });
});
