import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Cleanup } from '@petstore/test-kit/cleanup.js';
import { expect, vi } from 'vitest';
import { Container, type Runtime } from './container.js';
import { readCommandBlocks } from './drill.js';

const run = promisify(execFile);
const page = fileURLToPath(new URL('../../docs/install.md', import.meta.url));
/** The first line of the blocks of the page that the drill runs. */
const tested = '# tested by npm run drill -- image';
const directory = 'etc/systemd/system';
/** In tenths: systemd prints it as 2.0, which it calls OK. */
const maxExposure = 20;

/**
 * Follows docs/install.md, then runs the programs of the units as systemd would. The server has only Debian and Node;
 * `packaged` is the built service.
 */
export async function checkUnits(server: string, packaged: string, cleanup: Cleanup): Promise<void> {
  const blocks = (await readCommandBlocks(page)).filter((block) => block.startsWith(tested));
  const [install = '', listKeys = ''] = blocks;
  await copyArchive(server, packaged, install);
  await execute(server, install);
  await analyze(server);
  const service = await Container.launch(cleanup, await readUnit(server, 'petstore'));
  await vi.waitFor(() => expect(service.program.output).toContain('Petstore is ready.'), {
    timeout: 60_000,
    interval: 100,
  });
  const hasBackup = async () =>
    (await readdir(join(server, 'var/lib/petstore-backups'))).some((name) => name.endsWith('.gz'));
  // The first scheduled backup.
  await vi.waitUntil(hasBackup, { timeout: 30_000, interval: 200 });
  await service.stop();
  expect(await execute(server, listKeys)).toContain('read,write');
}

/** Runs commands as root of the server. PostgreSQL needs /proc and /dev. Returns what they print. */
async function execute(server: string, commands: string): Promise<string> {
  const namespaces = ['--mount', '--pid', '--fork', `--mount-proc=${join(server, 'proc')}`];
  const script = 'mount --rbind /dev "$0/dev" && exec chroot "$0" sh -ec "cd /root; $1"';
  const { stdout } = await run('unshare', [...namespaces, 'sh', '-c', script, server, commands]);
  return stdout;
}

/** Creates the archive that the documented steps install. */
async function copyArchive(server: string, packaged: string, install: string): Promise<void> {
  // bubblewrap runs as the user of the unit, who must be able to read the files.
  await chmod(server, 0o755);
  await run('ln', ['-sf', '/usr/local/bin/node', join(server, 'usr/bin/node')]);
  const name = /petstore-[\d.]+(?=\.tar\.gz)/.exec(install)?.[0] ?? '';
  const archive = ['-czf', join(server, `root/${name}.tar.gz`), '--transform', `s,^[.],${name},`];
  await run('tar', [...archive, '-C', packaged, '.']);
}

/** @throws Error if systemd rejects a unit, or rates the sandbox of the service as weak. */
async function analyze(server: string): Promise<void> {
  const options = ['--root', server, '--offline=yes', `--threshold=${maxExposure}`];
  await run('systemd-analyze', ['security', ...options, 'petstore.service']);
  // The clean server has no systemd, so this machine's targets count.
  const units = ['petstore.service', 'petstore@.service'].map((name) => join(server, directory, name));
  await run('systemd-analyze', ['verify', '--recursive-errors=no', ...units]);
}

/** Runs commands as systemd would: as the user of the unit, with a read-only system, and here without a network. */
async function readUnit(server: string, name: string): Promise<Runtime> {
  const unit = await readFile(join(server, directory, `${name}.service`), 'utf8');
  const words = (setting: string) => (new RegExp(`^${setting}=(.+)$`, 'm').exec(unit)?.[1] ?? '').split(' ');
  const uid = (await run('chroot', [server, 'id', '--user', ...words('User')])).stdout.trim();
  const writable = [];
  for (const state of words('StateDirectory')) writable.push(...(await stateDirectory(server, state, Number(uid))));
  const user = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', 'bwrap', '--unshare-net', '--unshare-pid'];
  const system = ['--ro-bind', server, '/', ...writable, '--tmpfs', '/tmp', '--die-with-parent'];
  const kernel = ['--proc', '/proc', '--dev', '/dev', '--chdir', ...words('WorkingDirectory')];
  const environment = words('Environment').flatMap((assignment) => ['--setenv', ...assignment.split('=')]);
  const clean = ['--clearenv', '--setenv', 'PATH', '/usr/bin:/bin'];
  return () => ['setpriv', ...user, ...system, ...kernel, ...clean, ...environment];
}

/** Creates the directory. Returns the options that mount it. */
async function stateDirectory(server: string, name: string, uid: number): Promise<string[]> {
  const path = join('/var/lib', name);
  await mkdir(join(server, path), { recursive: true, mode: 0o700 });
  await chown(join(server, path), uid, uid);
  return ['--bind', join(server, path), path];
}
