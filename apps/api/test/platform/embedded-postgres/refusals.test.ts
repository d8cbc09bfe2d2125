import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBinaries } from '../../../src/platform/database/embedded/binaries.js';
import {
  EmbeddedPostgresError,
  embeddedPostgresUrl,
  ownEmbeddedPostgres,
} from '../../../src/platform/database/embedded/embedded-postgres.js';
import { silent, temporaryDataDir } from './data-dir.js';
import { launchProcess, outcomeOf } from './postgres-process.js';

const ownMounts = 'unshare --mount';
const canMount = spawnSync(`${ownMounts} true`, { shell: true }).status === 0;

/** What the service says when it cannot have its database. */
async function refusalOf(dataDir: string): Promise<string> {
  const error: unknown = await ownEmbeddedPostgres({ dataDir, log: silent }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(EmbeddedPostgresError);
  return (error as EmbeddedPostgresError).message;
}

describe('the embedded PostgreSQL refuses', () => {
  it('a platform that it does not come for, naming those it does', async () => {
    await expect(findBinaries('win32-x64')).rejects.toThrow(
      'There is no embedded PostgreSQL for win32-x64. Run the service on one of linux-x64, linux-arm64, darwin-x64, ' +
        'darwin-arm64, or set DATABASE_URL',
    );
  });

  it('data of another major version, naming both and leaving it alone', async () => {
    const dataDir = await temporaryDataDir();
    await mkdir(join(dataDir, 'postgres'), { recursive: true, mode: 0o700 });
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
    expect(await refusalOf(dataDir)).toMatch(
      /was made by PostgreSQL 17;.* brings PostgreSQL 18\..*pg_dump.*DATABASE_URL/,
    );
    expect(await readdir(join(dataDir, 'postgres'))).toEqual(['PG_VERSION']);
  });

  it('a folder with something else in it, leaving it alone', async () => {
    const dataDir = await temporaryDataDir();
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    await writeFile(join(dataDir, 'postgres', 'novel.txt'), 'Chapter 1');
    expect(await refusalOf(dataDir)).toContain(`${dataDir}/postgres is not empty and not a PostgreSQL data folder`);
    expect(await readFile(join(dataDir, 'postgres', 'novel.txt'), 'utf8')).toBe('Chapter 1');
  });

  it('damaged data, with what PostgreSQL says of it', async () => {
    const dataDir = await temporaryDataDir();
    await mkdir(join(dataDir, 'postgres'), { recursive: true, mode: 0o700 });
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '18\n');
    expect(await refusalOf(dataDir)).toMatch(
      /did not start\. The data is untouched\. PostgreSQL said:\n.*postgresql\.conf/,
    );
  });

  it.each([
    ['as the data folder', ''],
    ['above the data folder', '/data'],
  ])('a file %s', async (_, below) => {
    const dataDir = await temporaryDataDir('file');
    await writeFile(dataDir, '');
    expect(await refusalOf(`${dataDir}${below}`)).toMatch(
      /^Cannot keep the embedded database in .*: a file is in the way of a folder\./,
    );
  });

  it('a socket folder that others may enter, or that leads elsewhere', async () => {
    const dataDir = await temporaryDataDir();
    await mkdir(join(dataDir, 'socket'), { recursive: true });
    await chmod(join(dataDir, 'socket'), 0o755);
    expect(await refusalOf(dataDir)).toContain(`${dataDir}/socket, is not safe`);
    const linked = await temporaryDataDir();
    await mkdir(linked);
    await symlink(dirname(linked), join(linked, 'socket'));
    expect(await refusalOf(linked)).toContain(`${linked}/socket, is not safe`);
  });

  it.runIf(canMount).each([
    ['a full disk', 'size=16m', 'its disk is full'],
    ['a file system that is read-only', 'ro', 'its file system is read-only'],
  ])('%s', async (_, option, cause) => {
    const dataDir = await temporaryDataDir();
    const mount = `mount -t tmpfs -o ${option} tmpfs "$0" && exec "$@"`;
    const prefix = [...ownMounts.split(' '), 'sh', '-c', mount, dirname(dataDir)];
    const { error } = await outcomeOf(launchProcess('own', dataDir, { prefix }));
    expect(error).toContain(`${dataDir}: ${cause}.`);
    expect(error).toMatch(/DATA_DIR, or set DATABASE_URL/);
  });

  it('to tell the URL of a folder that does not exist', async () => {
    await expect(embeddedPostgresUrl('/nowhere/data')).rejects.toThrow('There is no data folder /nowhere/data yet');
  });
});
