import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../src/embedded-postgres.js';
import { postmasterOf, query, temporaryDataDir, userOf } from './temporary-data-dir.js';
import { end, launchProcess, outcomeOf } from './postgres-process.js';

const root = 0;
const nobody = 65534;

async function dataDirOf(owner: number): Promise<string> {
  const dataDir = await temporaryDataDir();
  await mkdir(dataDir, { mode: 0o700 });
  await chown(dataDir, owner, owner);
  return dataDir;
}

/** A PATH on which user namespaces cannot be made, as in many containers. */
async function pathWithoutNamespaces(dataDir: string): Promise<string> {
  const folder = join(dataDir, '..', 'bin');
  await mkdir(folder);
  await writeFile(join(folder, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  return `${folder}:${process.env['PATH']}`;
}

/** Starts a service. Returns the owners of PostgreSQL's process and files. */
async function usersOf(dataDir: string, options: { uid?: number; gid?: number; env?: NodeJS.ProcessEnv }) {
  const service = launchProcess(dataDir, options);
  const { url, error } = await outcomeOf(service);
  expect(error).toBe('');
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  const process = await userOf(await postmasterOf(dataDir));
  const files = (await stat(join(dataDir, 'postgres', 'PG_VERSION'))).uid;
  await end(service, 'SIGTERM');
  expect(await postmasterOf(dataDir)).toBe(0);
  return { process, files };
}

const mountNamespace = 'unshare --mount';
const canMount = spawnSync(`${mountNamespace} true`, { shell: true }).status === 0;

/** Other users must be able to run PostgreSQL from here. The home of root, for example, is private. */
const canOthersRead = spawnSync('ls', [import.meta.dirname], { uid: nobody, gid: nobody }).status === 0;
const canChangeUser = process.platform === 'linux' && process.getuid?.() === root && canOthersRead;

describe.runIf(canChangeUser)('PostgreSQL runs', () => {
  it('as root in a user namespace, and as the user nobody after root has lost its user namespaces', async () => {
    const dataDir = await dataDirOf(root);
    // Each time, the same user owns the files.
    expect(await usersOf(dataDir, {})).toEqual({ process: root, files: root });
    const env = { PATH: await pathWithoutNamespaces(dataDir) };
    expect(await usersOf(dataDir, { env })).toEqual({ process: nobody, files: nobody });
    expect(await usersOf(dataDir, {})).toEqual({ process: nobody, files: nobody });
  });

  it('as the ordinary user who owns the data directory, even if root starts it', async () => {
    const dataDir = await dataDirOf(nobody);
    for (const starter of [root, nobody, root]) {
      const users = await usersOf(dataDir, { uid: starter, gid: starter });
      expect(users).toEqual({ process: nobody, files: nobody });
    }
  });

  it('not in a data directory of another user, for root neither', async () => {
    const dataDir = await dataDirOf(1234);
    for (const starter of [root, nobody]) {
      const { error } = await outcomeOf(launchProcess(dataDir, { uid: starter, gid: starter }));
      expect(error).toContain(`${dataDir} is not safe: it belongs to user id 1234, and this process runs as user id`);
    }
    expect(await readdir(dataDir)).toEqual([]);
  });

  const nameless = 54_321;
  const lineInPasswd = 'petstore:x:54321:54321::/:/sbin/nologin';

  it('not for a user id without a name, and the error has the line for /etc/passwd', async () => {
    const { error } = await outcomeOf(launchProcess(await dataDirOf(nameless), { uid: nameless, gid: nameless }));
    expect(error).toContain(
      'as user id 54321, which has no name in /etc/passwd. Run the service as a user with a name',
    );
    expect(error).toContain(`add a line such as "${lineInPasswd}" to /etc/passwd, or set DATABASE_URL`);
  });

  it.runIf(canMount)('for a user id with this line in /etc/passwd', async () => {
    const dataDir = await dataDirOf(nameless);
    const passwd = join(dataDir, '..', 'passwd');
    await writeFile(passwd, `${await readFile('/etc/passwd', 'utf8')}${lineInPasswd}\n`);
    const asUser = `setpriv --reuid=${nameless} --regid=${nameless} --clear-groups`;
    const mount = `mount --bind "$0" /etc/passwd && exec ${asUser} "$@"`;
    const prefix = [...mountNamespace.split(' '), 'sh', '-c', mount, passwd];
    const service = launchProcess(dataDir, { prefix });
    expect(await outcomeOf(service)).toMatchObject({ error: '' });
    await end(service, 'SIGTERM');
  });

  it('not for root without user namespaces when no other user can access the data directory', async () => {
    const dataDir = await dataDirOf(root);
    const env = { PATH: await pathWithoutNamespaces(dataDir) };
    await chmod(join(dataDir, '..'), 0o700);
    const { error } = await outcomeOf(launchProcess(dataDir, { env }));
    expect(error).toMatch(
      /initdb: error: .*Permission denied[^]*set DATA_DIR to another directory, or set DATABASE_URL/,
    );
  });

  it('in a directory from which it has removed the rights of others, which it logs', async () => {
    const dataDir = await dataDirOf(root);
    for (const mode of [0o755, 0o777, 0o2770]) {
      expect(spawnSync('chmod', ['-R', mode.toString(8), dataDir]).status).toBe(0);
      const log: string[] = [];
      const postgres = await startEmbeddedPostgres({ dataDir, log: (line) => log.push(line) });
      await postgres.close();
      expect((await stat(dataDir)).mode & 0o022).toBe(0);
      const message = `Removed rights of other users on ${dataDir}: its mode was ${mode.toString(8)}.`;
      expect(log.includes(message)).toBe(mode !== 0o755);
    }
    for (const name of ['', 'postgres', 'socket']) expect((await stat(join(dataDir, name))).mode & 0o077).toBe(0);
  });

  it('not where the group can write to a directory of root, but in a folder in it, also after each mount', async () => {
    const dataDir = await dataDirOf(root);
    await chown(dataDir, root, nobody);
    await chmod(dataDir, 0o2770);
    const { error } = await outcomeOf(launchProcess(dataDir, { uid: nobody, gid: nobody }));
    expect(error).toContain(`set DATA_DIR to a new directory in it, such as ${dataDir}/private.`);
    const inside = join(dataDir, 'private');
    for (let mount = 0; mount < 2; mount += 1) {
      expect(await usersOf(inside, { uid: nobody, gid: nobody })).toEqual({ process: nobody, files: nobody });
      // As Kubernetes with fsGroup.
      for (const folder of ['', 'postgres', 'socket']) await chmod(join(inside, folder), 0o2770);
    }
  });
});
